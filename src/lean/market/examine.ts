import { failed, success, type Failed, type Result } from '../../core/result.ts';
import { goalHash } from '../toolchain/fingerprint.ts';
import { readSignature, signatureText } from '../base/signature.ts';
import type { Gate, Question } from '../gate/gate.ts';
import { bareGoal } from '../goals/goal.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { Failure } from '../base/protocol.ts';
import { refutation } from '../search/refutation.ts';
import { Workbench } from '../workbench/workbench.ts';
import type { RequestLimits } from '../toolchain/worker.ts';

export type ExaminedTicket = Result<Examined, Failure>;

interface Examined {
  readonly name: string;
  readonly goalHash: string;
  /** A small instance that shows the lemma to be false. */
  readonly counterexample: string | undefined;
}

interface ExamineLimits extends RequestLimits {
  /** Receives the cost of the examination. */
  readonly charge?: (cpuSeconds: number) => void;
  /** Skips the search for a counterexample, because the same lemma was requested before. */
  readonly known?: (goalHash: string) => Promise<boolean>;
}

const refuteLimits = { cpu_seconds: 2, heartbeats: 400 };

/**
 * Whether a lemma can be requested: Lean must be able to read its statement, and no small instance may refute
 * it. Returns the identity of the statement.
 */
export async function examineStatement(
  { pool, gate }: { readonly pool: LeanPool; readonly gate: Gate },
  { preamble = '', statement, environment }: Question,
  {
    deadlineMs = 30_000,
    signal = new AbortController().signal,
    charge,
    known = async () => await Promise.resolve(false),
  }: ExamineLimits = {},
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
      const examined = { name: reply.name, goalHash: goalHash(reply.canonical) };
      if (await known(examined.goalHash)) return success({ ...examined, counterexample: undefined });
      const goal = { ...bareGoal, id: reply.name, preamble, environment, statement };
      const { closure } = lease;
      const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain, closure, ...limits });
      if (!opened.ok) return placed('statement', opened.error);
      const workbench = opened.value;
      const run = { limits: refuteLimits, signal, permit: async () => {} };
      const { instance } = await refutation(workbench, gate, run);
      await workbench.end();
      return success({ ...examined, counterexample: instance });
    },
    { preamble, environment, signal },
  );
}

/** Whether the type in `Nonempty (type)` is a class applied to something. */
export async function isOfClass(
  { pool }: { readonly pool: LeanPool },
  { preamble = '', statement, environment }: Question,
  { deadlineMs = 30_000, signal = new AbortController().signal }: ExamineLimits = {},
): Promise<boolean> {
  const signature = readSignature(statement);
  if (!signature) return false;
  const type = signature.type.replace(/^Nonempty \(([\s\S]*)\)$/, '$1');
  const asked = signatureText({ ...signature, type: `∀ [${type}], True` });
  return await pool.use(
    async (lease) => {
      const loaded = await lease.session(preamble, { deadlineMs, signal });
      if (!loaded.ok) return false;
      const body = { session: loaded.session, statement: asked };
      return (await lease.request('statement', body, { deadlineMs, signal })).ok;
    },
    { preamble, environment, signal },
  );
}

function placed(place: 'preamble' | 'statement', cause: Failure): Failed<Failure> {
  return failed({ ...cause, message: `Lean cannot read the ${place}: ${cause.message}` });
}
