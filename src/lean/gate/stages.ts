import type { Assurance } from '../../shared/assurance.ts';

/**
 * What the judge does with the two exports. `form`: sizes, depths and loose bound variables while they are read. `binding`:
 * the theorem is added with the statement's type. `kernel`: everything is type-checked. `advisories`: what known bugs of the kernel
 * would let through is checked without it. `axioms`: what it rests on. `account`: whatever a file writes down was declared as it is
 * written, or is unknown. A gate with fewer stages gives lower assurances; the soundness suite uses it to show what each stage is
 * good for.
 */
export const stages = ['form', 'binding', 'kernel', 'advisories', 'axioms', 'account'] as const;
export type Stage = (typeof stages)[number];

/** What an acceptance is worth: as much as the stages that ran, and no more than a bound statement allows. */
export function assuranceOf(used: readonly Stage[], isBound: boolean): Assurance {
  const ran = (stage: Stage): boolean => used.includes(stage);
  if (!ran('form') || !ran('axioms')) return 'elaborated';
  if (!isBound) return ran('account') ? 'axioms-clean' : 'elaborated';
  if (!ran('binding')) return 'axioms-clean';
  return ran('kernel') && ran('advisories') ? 'replayed' : 'statement-bound';
}
