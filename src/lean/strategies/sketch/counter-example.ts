import { wholeStatement } from '../../goals/goal.ts';
import type { Bench } from '../../search/bench.ts';
import { refute } from '../../search/refute.ts';
import { WorkAccount } from '../../workbench/account.ts';
import { Workbench } from '../../workbench/workbench.ts';
import type { HoleLemma } from './hole-lemma.ts';

const limits = { cpu_seconds: 1, heartbeats: 400 };

type Looked =
  | { readonly kind: 'nothing found' }
  | { readonly kind: 'false' | 'unreadable'; readonly words: string };

/**
 * Searches for small values that contradict a claim. The claim is checked as a theorem of its own in the goal's
 * worker, so that no second worker is needed. The result only drops the claim; a verdict on the goal itself would
 * need the gate.
 */
export async function counterExample(
  { workbench, account, refuted }: Pick<Bench, 'workbench' | 'account' | 'refuted'>,
  { statement }: HoleLemma,
): Promise<Looked> {
  if (account.stopped !== undefined) return { kind: 'nothing found' };
  const known = refuted?.ofText(workbench.goal, statement);
  if (known !== undefined) return { kind: 'false', words: falseFor(known) };
  return await workbench.borrow(async (lease): Promise<Looked> => {
    const { signal, permit } = account;
    const goal = { ...workbench.goal, id: 'claim', statement, holes: wholeStatement };
    const opened = await Workbench.open(lease, goal, { ...workbench.ground, signal, permit });
    account.charge(opened.cost);
    if (!opened.ok) return { kind: 'unreadable', words: opened.error.message };
    const own = new WorkAccount({ limits, signal, permit });
    const { instance } = await refute(opened.value, own);
    await opened.value.end();
    account.charge(own.spent);
    if (instance === undefined) return { kind: 'nothing found' };
    return { kind: 'false', words: falseFor(instance) };
  });
}

export const falseFor = (instance: string): string => `this is false, for example: ${instance}`;
