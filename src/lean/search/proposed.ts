import { suggestionsOf } from '../base/suggestions.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';
import { mentions } from './shapes.ts';

/** What Lean proposes, but for the theorem itself: inside a proof that has holes, the library knows it already. */
export function proposed(
  { workbench }: { readonly workbench: Workbench },
  { messages }: WorkState,
): string[] {
  const name = /(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(workbench.goal.statement)?.[1] ?? '';
  return suggestionsOf(messages).filter((tactic) => !mentions(tactic, name));
}
