import { failed, success, type Failed, type Result } from '../../core/result.ts';
import { goalHash } from '../toolchain/fingerprint.ts';
import type { Gate, Question } from '../gate/gate.ts';
import { bareGoal } from '../goals/goal.ts';
import type { LeanPool } from '../workers/pool.ts';
import { failure, type Failure } from '../base/protocol.ts';
import { refutation } from '../search/refutation.ts';
import { Workbench } from '../workbench/workbench.ts';
import type { RequestLimits } from '../toolchain/worker.ts';

export type ExaminedTicket = Result<{ readonly name: string; readonly goalHash: string }, Failure>;

interface ExamineLimits extends RequestLimits {
  /** Receives what the examination cost. */
  readonly charge?: (cpuSeconds: number) => void;
}

const refuteLimits = { cpu_seconds: 2, heartbeats: 400 };

/**
 * Whether a lemma can be asked for: Lean must be able to read its statement, and nobody shall work on one that a small instance
 * shows to be false. Says the statement's identity.
 */
export async function examineStatement(
  { pool, gate }: { readonly pool: LeanPool; readonly gate: Gate },
  { preamble = '', statement, environment }: Question,
  { deadlineMs = 30_000, signal = new AbortController().signal, charge }: ExamineLimits = {},
): Promise<ExaminedTicket> {
  const limits = { deadlineMs, signal };
  return await pool.use(
    async (lease): Promise<ExaminedTicket> => {
      await using _ = {
        [Symbol.asyncDispose]: async () => await Promise.resolve(charge?.(lease.workSeconds)),
      };
      const loaded = await lease.session(preamble, limits);
      if (!loaded.ok) return placed('preamble', loaded);
      const { session } = loaded;
      const reply = await lease.request('statement', { session, statement }, limits);
      if (!reply.ok) return placed('statement', reply);
      const goal = { ...bareGoal, id: reply.name, preamble, environment, statement };
      const { closure } = lease;
      const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain, closure, ...limits });
      if (!opened.ok) return placed('statement', opened.error);
      const workbench = opened.value;
      const run = { limits: refuteLimits, signal, permit: async () => {} };
      const { instance } = await refutation(workbench, gate, run);
      await workbench.end();
      if (instance !== undefined)
        return failed(failure('elaboration', `the statement is false, for example: ${instance}`));
      return success({ name: reply.name, goalHash: goalHash(reply.canonical) });
    },
    { preamble, environment, signal },
  );
}

function placed(place: 'preamble' | 'statement', cause: Failure): Failed<Failure> {
  return failed({ ...cause, message: `Lean cannot read the ${place}: ${cause.message}` });
}
