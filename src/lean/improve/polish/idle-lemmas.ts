import type { AttemptRun } from '../../../core/strategy.ts';
import { premisesIn, type Candidate } from '../../workbench/candidate.ts';
import { indented } from '../../market/lemma.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench/workbench.ts';

/** Removes lent lemmas that the candidate does not need; closers do not report what they used. */
export async function withoutIdleLemmas(
  workbench: Workbench,
  candidate: Candidate,
  run: AttemptRun,
): Promise<{ readonly candidate: Candidate; readonly cpuSeconds: number; readonly workSeconds: number }> {
  const account = new WorkAccount(run);
  let { proof } = candidate;
  for (const lemma of workbench.goal.lent ?? []) {
    const shorter = without(proof, lemma);
    if (shorter === proof || account.stopped !== undefined) continue;
    if (await holds(workbench, shorter, account)) proof = shorter;
  }
  const changed = proof === candidate.proof ? candidate : { proof, premises: premisesIn(proof, workbench) };
  return { candidate: changed, cpuSeconds: account.cpuSeconds, workSeconds: account.workSeconds };
}

/** Each is on separate lines. */
function without(proof: string, lemma: string): string {
  const [first = ''] = lemma.split('\n', 1);
  const line = proof.split('\n').find((one) => one.trimStart() === first);
  if (line === undefined) return proof;
  const indent = line.slice(0, line.length - first.length);
  return proof.replace(`${indented(lemma, indent)}\n`, '');
}

async function holds(workbench: Workbench, proof: string, account: WorkAccount): Promise<boolean> {
  const { preamble, statement } = workbench.goal;
  const { signal, limits } = account;
  await account.permit();
  return await workbench.borrow(async (lease) => {
    const loaded = await lease.session(preamble, { signal });
    if (!loaded.ok) return false;
    const { heartbeats } = limits;
    const body = { session: loaded.session, statement, proof, heartbeats };
    const reply = await lease.request('check', body, { signal });
    account.charge(reply.cost);
    return reply.ok;
  });
}
