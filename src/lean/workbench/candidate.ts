import type { Workbench } from './workbench.ts';

/** What a strategy for Lean proposes; not yet a proof. */
export interface Candidate {
  /** `by …`, or the template of the goal with its holes filled. */
  readonly proof: string;
  /** The lemmas that its text names. */
  readonly premises: readonly string[];
  /** The new constants as Lean exported them when it looked at the proof as a whole: what the judge reads. */
  readonly exported?: unknown;
}

/** What an attempt leaves behind: the candidate's script, or the best partial one, and what that left open. */
export interface ScriptTrace {
  readonly tactics: readonly string[];
  readonly nextGoals: readonly string[];
  readonly premises: readonly string[];
}

/**
 * The lemmas that a script names: what the preamble declares, and dotted names of the library. Names that a tactic finds by
 * itself (`omega`, a bare `simp`) are not in the text; a minimised script says most of them.
 */
export function premisesIn(proof: string, { own }: Pick<Workbench, 'own'>): string[] {
  const mine = new Set(own.filter(({ kind }) => kind !== 'inductive').map(({ name }) => name));
  const words = proof.match(/[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)*/gu) ?? [];
  return [...new Set(words)].filter((word) => mine.has(word) || /^\p{Lu}[^.]*\./u.test(word));
}
