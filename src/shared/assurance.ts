/** A judge's verdict on a candidate. Unknown is never success: a limit or a fault leaves the question open. */
export type VerdictWord = 'accepted' | 'rejected' | 'unknown';

/** The kind of a rejection that only lacks proofs of open theorems, which the verdict names. */
export const conditionalKind = 'conditional';

/** How far a proof has been checked; each level includes those before it. */
export const assurances = [
  'elaborated',
  'axioms-clean',
  'statement-bound',
  'replayed',
  'second-kernel',
] as const;
export type Assurance = (typeof assurances)[number];

/** Levels at which an accepted candidate solves its goal. */
const solvingAssurances: ReadonlySet<string> = new Set(assurances.slice(assurances.indexOf('replayed')));

/** Whether a verdict solves its goal; the only definition. */
export function countsAsSolved<Judged extends Assured>(
  judged: Judged,
): judged is Judged & { readonly assurance: NonNullable<Judged['assurance']> } {
  const { verdict, assurance } = judged;
  return verdict === 'accepted' && assurance !== null && solvingAssurances.has(assurance);
}

interface Assured {
  readonly verdict: VerdictWord;
  readonly assurance: string | null;
}
