import type { Workbench } from './workbench.ts';

/** A proposal of a strategy for Lean; not yet a proof. */
export interface Candidate {
  /** `by …`, or the template of the goal with its holes filled. */
  readonly proof: string;
  /** Lemmas named in its text. */
  readonly premises: readonly string[];
  /** The new constants as Lean exported them when it checked the whole proof; the judge's input. */
  readonly exported?: unknown;
  /** The open theorems that it assumes, according to that check. */
  readonly given?: readonly string[];
}

/**
 * The recorded result of an attempt: the candidate's script, or the best partial script with its remaining
 * goals.
 */
export interface ScriptTrace {
  readonly tactics: readonly string[];
  readonly nextGoals: readonly string[];
  readonly premises: readonly string[];
}

/**
 * Lemmas named in a script: those declared in the preamble, and dotted library names. Lemmas that a tactic finds by
 * itself (`omega`, a bare `simp`) are not in the text; a minimised script names most of them.
 */
export function premisesIn(proof: string, { own }: Pick<Workbench, 'own'>): string[] {
  const mine = new Set(own.filter(({ kind }) => kind !== 'inductive').map(({ name }) => name));
  const words = proof.match(/[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)*/gu) ?? [];
  return [...new Set(words)].filter((word) => mine.has(word) || /^\p{Lu}[^.]*\./u.test(word));
}
