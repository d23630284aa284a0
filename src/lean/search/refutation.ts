import type { AttemptRun } from '../../core/strategy.ts';
import type { VerdictWord } from '../../shared/assurance.ts';
import { goalHash } from '../toolchain/fingerprint.ts';
import type { Gate } from '../gate/gate.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { stateClaim } from '../gate/roles.ts';
import { verdictOf } from '../gate/verdicts.ts';
import type { Lease } from '../workers/lease.ts';
import type { Failure, Reply } from '../base/protocol.ts';
import { negationOf, proofFrom } from './negation.ts';
import { refute, type CounterExample } from './refute.ts';
import { WorkAccount } from '../workbench/account.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** Judging a proof by `decide` is quick; this limit is for a busy machine. */
const judgeLimits = { cpuSeconds: 60, deadlineMs: 1_200_000 };

/** The result of a search for a counterexample. */
export interface Refuted extends CounterExample {
  /** Why a found counterexample could not be judged: the machine is too slow, or a worker died. */
  readonly unjudged?: string;
  readonly cpuSeconds: number;
  readonly workSeconds: number;
}

/**
 * Finds confirmed counterexamples: the gate accepts the negation, proved from the instance. Search, market and other callers
 * use it to detect false statements before spending much on them.
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

/** Whether an instance, from any source, refutes a goal. `hash` is the goal's identity, if known. */
export async function judgeInstance(
  lease: Lease,
  gate: Gate,
  goal: LeanGoal,
  instance: string,
  { signal, hash }: { readonly signal: AbortSignal; readonly hash?: string },
): Promise<Judged> {
  const limits = { ...judgeLimits, signal };
  let spent = 0;
  const state = async (preamble: string, statement: string): Promise<Reply<'statement'>> => {
    const loaded = await lease.session(preamble, limits);
    spent += loaded.cost.cpuSeconds;
    if (!loaded.ok) return loaded;
    const reply = await lease.request('statement', { session: loaded.session, statement }, limits);
    spent += reply.cost.cpuSeconds;
    return reply;
  };
  const own = await state(goal.preamble, goal.statement);
  if (!own.ok) return undecided(own, spent);
  const negation = negationOf(goal, own);
  // Lean confirms that the negated statement is the goal and not a look-alike
  const same = await state(negation.preamble, negation.same);
  if (!same.ok) return undecided(same, spent);
  if (goalHash(same.canonical) !== (hash ?? goalHash(own.canonical)))
    return { verdict: 'rejected', why: 'what would be negated is not the goal', cpuSeconds: spent };
  const { preamble, statement } = negation;
  const { allowAxioms, environment } = goal;
  const question = { preamble, statement, allowAxioms, environment };
  const stated = await stateClaim(lease, question, limits);
  if (!stated.ok) return undecided(stated.error.failure, spent + stated.error.cpuSeconds);
  const claim = { ...question, proof: proofFrom(instance) };
  const { verdict, assurance, message, cpu_seconds } = await gate.checkIn(
    lease,
    claim,
    stated.value.data,
    limits,
  );
  const isWeak = verdict === 'accepted' && assurance !== 'replayed';
  const cpuSeconds = spent + stated.value.cpuSeconds + cpu_seconds;
  return { verdict: isWeak ? 'unknown' : verdict, why: message, cpuSeconds };
}

function undecided({ kind, message }: Failure, cpuSeconds: number): Judged {
  return { verdict: verdictOf(kind), why: `${kind}: ${message}`, cpuSeconds };
}
