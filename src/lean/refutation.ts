import type { AttemptRun } from '../core/strategy.ts';
import { goalHash, sha256 } from './fingerprint.ts';
import type { Gate } from './gate/gate.ts';
import { stateClaim } from './gate/roles.ts';
import type { Lease } from './lease.ts';
import { negationOf, proofFrom } from './search/negation.ts';
import { refute, type CounterExample } from './search/refute.ts';
import { Account } from './workbench/account.ts';
import type { Workbench } from './workbench.ts';

/** Judging a proof by `decide` takes moments; this is for a machine that others load. */
const judgeMs = 60_000;

/**
 * A counter-example that counts: the goal's negation, proved from the instance, is accepted by the gate. The one refuter of
 * search, market and whoever else wants to know whether a statement is false before much is spent on it.
 */
export async function refutation(
  workbench: Workbench,
  gate: Gate,
  run: Pick<AttemptRun, 'limits' | 'signal' | 'permit'>,
): Promise<CounterExample & { readonly cpuSeconds: number }> {
  const account = new Account(run);
  const { instance, untried } = await refute(workbench, account);
  if (instance === undefined) return { instance, untried, cpuSeconds: account.cpuSeconds };
  await run.permit();
  const { isFalse, cpuSeconds } = await workbench.borrow(
    async (lease) => await judge(lease, gate, workbench, instance, run.signal),
  );
  return {
    instance: isFalse ? instance : undefined,
    untried,
    cpuSeconds: account.cpuSeconds + cpuSeconds,
  };
}

async function judge(
  lease: Lease,
  gate: Gate,
  { goal, goalHash: hash }: Workbench,
  instance: string,
  signal: AbortSignal,
): Promise<{ isFalse: boolean; cpuSeconds: number }> {
  const { preamble, statement, allowAxioms, environment } = goal;
  const limits = { deadlineMs: judgeMs, signal };
  const negation = negationOf(statement, `refuted_${sha256(statement).slice(0, 8)}`);
  const loaded = await lease.session(preamble, limits);
  if (!negation || !loaded.ok) return { isFalse: false, cpuSeconds: loaded.cost.cpuSeconds };
  const { session } = loaded;
  // Lean says whether the text that is negated is the goal, and not something that looks like it
  const same = await lease.request('statement', { session, statement: negation.closed }, limits);
  const { cpuSeconds } = same.cost;
  if (!same.ok || goalHash(same.canonical) !== hash) return { isFalse: false, cpuSeconds };
  const question = { preamble, statement: negation.statement, allowAxioms, environment };
  const stated = await stateClaim(lease, question, limits);
  const spent = cpuSeconds + stated.cpuSeconds;
  if ('failure' in stated) return { isFalse: false, cpuSeconds: spent };
  const claim = { ...question, proof: proofFrom(instance) };
  const verdict = await gate.checkIn(lease, claim, stated.data, limits);
  const isFalse = verdict.verdict === 'accepted' && verdict.assurance === 'replayed';
  return { isFalse, cpuSeconds: spent + verdict.cpu_seconds };
}
