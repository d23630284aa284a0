import { suggestionsOf } from '../base/suggestions.ts';
import type { Workbench, WorkState } from '../workbench/workbench.ts';
import { mentions } from '../base/names.ts';

/** Lean's suggestions without the theorem itself, which is already in the environment inside a proof with holes. */
export function proposed(
  { workbench }: { readonly workbench: Workbench },
  { messages }: WorkState,
): string[] {
  const name = /(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(workbench.goal.statement)?.[1] ?? '';
  return suggestionsOf(messages).filter((tactic) => !mentions(tactic, name));
}
