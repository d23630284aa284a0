import type { Judges } from '../../remote/weigh.ts';
import type { Gate } from '../gate/gate.ts';
import { verdictOf } from '../gate/verdicts.ts';
import type { LeanGoal } from '../goals/goal.ts';
import type { LeanPool } from '../pool.ts';
import { judgeInstance } from '../refutation.ts';

/** An answer is judged within this much wall-clock time; without a word in time it is unknown. */
const judgeMs = 60_000;

/** Elaborated and judged here, as if the worker had sent a text and nothing else; and so it has. */
export function leanJudges(pool: LeanPool, gate: Gate): Judges<LeanGoal> {
  return {
    async proof({ preamble, statement, allowAxioms, environment }, proof, signal) {
      const claim = { preamble, statement, proof, allowAxioms, environment };
      return await gate.check(claim, { deadlineMs: judgeMs, signal });
    },
    async refutation(goal, instance, signal) {
      const { preamble, environment } = goal;
      return await pool.use(async (lease) => await judgeInstance(lease, gate, goal, instance, signal), {
        preamble,
        environment,
        signal,
      });
    },
    async unreadable({ preamble, statement, allowAxioms, environment }, signal) {
      const question = { preamble, statement, allowAxioms, environment };
      const stated = await gate.state(question, { deadlineMs: judgeMs, signal });
      const { cpuSeconds } = stated;
      if (!('failure' in stated) || verdictOf(stated.failure.kind) !== 'rejected')
        return { why: null, cpuSeconds };
      return { why: `${stated.failure.kind}: ${stated.failure.message}`, cpuSeconds };
    },
  };
}
