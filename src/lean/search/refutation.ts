import type { AttemptRun } from '../../core/strategy.ts';
import type { VerdictWord } from '../../shared/assurance.ts';
import { goalHash, sha256 } from '../toolchain/fingerprint.ts';
import type { Gate } from '../gate/gate.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { stateClaim } from '../gate/roles.ts';
import { verdictOf } from '../gate/verdicts.ts';
import type { Lease } from '../workers/lease.ts';
import type { Failure } from '../base/protocol.ts';
import { negationOf, proofFrom } from './negation.ts';
import { refute, type CounterExample } from './refute.ts';
import { WorkAccount } from '../workbench/account.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** Judging a proof by `decide` takes moments; this is for a machine that others load. */
const judgeLimits = { cpuSeconds: 60, deadlineMs: 1_200_000 };

/** What a look for a counter-example has shown. */
export interface Refuted extends CounterExample {
  /** Why an instance that was found could not be judged: a machine that is too slow, a worker that died. */
  readonly unjudged?: string;
  readonly cpuSeconds: number;
  readonly workSeconds: number;
}

/**
 * A counter-example that counts: the goal's negation, proved from the instance, is accepted by the gate. The one refuter of
 * search, market and other callers that check whether a statement is false before much is spent on it.
 */
export async function refutation(
  workbench: Workbench,
  gate: Gate,
  run: Pick<AttemptRun, 'limits' | 'signal' | 'permit'>,
): Promise<Refuted> {
  const account = new WorkAccount(run);
  const { instance, untried } = await refute(workbench, account);
  const { workSeconds } = account;
  if (instance === undefined) return { instance, untried, cpuSeconds: account.cpuSeconds, workSeconds };
  await run.permit();
  const { verdict, why, cpuSeconds } = await workbench.borrow(
    async (lease) =>
      await judgeInstance(lease, gate, workbench.goal, instance, {
        signal: run.signal,
        hash: workbench.goalHash,
      }),
  );
  return {
    instance: verdict === 'accepted' ? instance : undefined,
    untried,
    ...(verdict === 'unknown' && { unjudged: why }),
    cpuSeconds: account.cpuSeconds + cpuSeconds,
    workSeconds,
  };
}

interface Judged {
  readonly verdict: VerdictWord;
  readonly why: string;
  readonly cpuSeconds: number;
}

/** Whether an instance shows a goal to be false, wherever it comes from. `hash` is the goal's identity, where it is known already. */
export async function judgeInstance(
  lease: Lease,
  gate: Gate,
  { preamble, statement, allowAxioms, environment }: LeanGoal,
  instance: string,
  { signal, hash }: { readonly signal: AbortSignal; readonly hash?: string },
): Promise<Judged> {
  const limits = { ...judgeLimits, signal };
  const negation = negationOf(statement, `refuted_${sha256(statement).slice(0, 8)}`);
  if (!negation) return { verdict: 'rejected', why: 'the statement cannot be negated', cpuSeconds: 0 };
  const loaded = await lease.session(preamble, limits);
  if (!loaded.ok) return undecided(loaded, loaded.cost.cpuSeconds);
  const { session } = loaded;
  const stands =
    hash === undefined ? await lease.request('statement', { session, statement }, limits) : undefined;
  if (stands && !stands.ok) return undecided(stands, stands.cost.cpuSeconds);
  // Lean says whether the text that is negated is the goal, and not something that looks like it
  const same = await lease.request('statement', { session, statement: negation.closed }, limits);
  const cpuSeconds = (stands?.cost.cpuSeconds ?? 0) + same.cost.cpuSeconds;
  if (!same.ok) return undecided(same, cpuSeconds);
  if (goalHash(same.canonical) !== (stands ? goalHash(stands.canonical) : hash))
    return { verdict: 'rejected', why: 'what would be negated is not the goal', cpuSeconds };
  const question = { preamble, statement: negation.statement, allowAxioms, environment };
  const stated = await stateClaim(lease, question, limits);
  if (!stated.ok) return undecided(stated.error.failure, cpuSeconds + stated.error.cpuSeconds);
  const spent = cpuSeconds + stated.value.cpuSeconds;
  const claim = { ...question, proof: proofFrom(instance) };
  const { verdict, assurance, message, cpu_seconds } = await gate.checkIn(
    lease,
    claim,
    stated.value.data,
    limits,
  );
  const isWeak = verdict === 'accepted' && assurance !== 'replayed';
  return { verdict: isWeak ? 'unknown' : verdict, why: message, cpuSeconds: spent + cpu_seconds };
}

function undecided({ kind, message }: Failure, cpuSeconds: number): Judged {
  return { verdict: verdictOf(kind), why: `${kind}: ${message}`, cpuSeconds };
}
