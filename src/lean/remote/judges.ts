import { judgementOf } from '../gate/judgement.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { Examined, Judges } from '../../remote/judges.ts';
import type { Gate } from '../gate/gate.ts';
import { verdictOf } from '../gate/verdicts.ts';
import { goalFacts } from '../workbench/goal-facts.ts';
import type { LeanGoal } from '../goals/goal.ts';
import type { Lease } from '../workers/lease.ts';
import type { LeanPool } from '../workers/pool.ts';
import { judgeInstance } from '../search/refutation.ts';
import { LeaseMeter } from '../workbench/lease-meter.ts';
import { Workbench } from '../workbench/workbench.ts';

/** Wall-clock limit for judging an answer; beyond it the verdict is unknown. */
const judgeMs = 60_000;
/** The files of a project depend on thousands of lines. */
const openProjectMs = 300_000;

/** Elaborates and judges answers here: from a worker, only text is used. */
export function leanJudges(pool: LeanPool, gate: Gate): Judges<LeanGoal, Verdict> {
  return {
    async proof({ preamble, statement, allowAxioms, environment }, proof, signal) {
      const claim = { preamble, statement, proof, allowAxioms, environment };
      return judgementOf(await gate.check(claim, { deadlineMs: judgeMs, signal }));
    },
    async refutation(goal, instance, signal) {
      const { preamble, environment } = goal;
      return await pool.use(async (lease) => await judgeInstance(lease, gate, goal, instance, { signal }), {
        preamble,
        environment,
        signal,
      });
    },
    async examine(goal, signal) {
      const { preamble, environment } = goal;
      return await pool.use(async (lease) => await examine(pool, lease, goal, signal), {
        preamble,
        environment,
        signal,
      });
    },
  };
}

/** Elaborates the statement, as a worker does when it opens the goal. */
async function examine(
  { toolchain }: LeanPool,
  lease: Lease,
  goal: LeanGoal,
  signal: AbortSignal,
): Promise<Examined> {
  const meter = new LeaseMeter(lease);
  const opened = await Workbench.open(lease, goal, {
    toolchain,
    closure: lease.closure,
    permit: async () => undefined,
    signal,
    deadlineMs: (goal.environment?.project ?? null) === null ? judgeMs : openProjectMs,
  });
  if (!opened.ok) {
    const why = `${opened.error.kind}: ${opened.error.message}`;
    const kind = verdictOf(opened.error.kind) === 'rejected' ? 'unreadable' : 'unknown';
    return { kind, why, cpuSeconds: opened.cost.cpuSeconds };
  }
  const workbench = opened.value;
  const facts = goalFacts(workbench, workbench.features);
  await workbench.end();
  return { kind: 'read', facts, cpuSeconds: meter.read().cpuSeconds };
}
