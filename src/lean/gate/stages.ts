import type { Assurance } from '../../shared/assurance.ts';

/**
 * What the judge does with the two exports. `form`: checks sizes, depths and loose bound variables while reading. `binding`:
 * the theorem is added with the statement's type. `kernel`: everything is type-checked. `advisories`: terms
 * that known kernel bugs would accept are checked independently of the kernel. `axioms`: the axioms it depends
 * on. `account`: everything written in a file was declared as written, or is unknown. A gate with fewer stages
 * gives lower assurances; the soundness suite uses such gates to show what each stage catches.
 */
export const stages = ['form', 'binding', 'kernel', 'advisories', 'axioms', 'account'] as const;
export type Stage = (typeof stages)[number];

/** The assurance of an acceptance: limited by the stages that ran and by whether the statement is bound. */
export function assuranceOf(used: readonly Stage[], isBound: boolean): Assurance {
  const ran = (stage: Stage): boolean => used.includes(stage);
  if (!ran('form') || !ran('axioms')) return 'elaborated';
  if (!isBound) return ran('account') ? 'axioms-clean' : 'elaborated';
  if (!ran('binding')) return 'axioms-clean';
  return ran('kernel') && ran('advisories') ? 'replayed' : 'statement-bound';
}
