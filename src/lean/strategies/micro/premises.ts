import type { Workbench } from '../../workbench.ts';

/**
 * The lemmas that a script names: what the preamble declares, and dotted names of the library. Names that a tactic finds by
 * itself (`omega`, a bare `simp`) are not in the text; a minimised script says most of them.
 */
export function premisesIn(proof: string, { own }: Pick<Workbench, 'own'>): string[] {
  const mine = new Set(own.filter(({ kind }) => kind !== 'inductive').map(({ name }) => name));
  const words = proof.match(/[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)*/gu) ?? [];
  return [...new Set(words)].filter((word) => mine.has(word) || /^\p{Lu}[^.]*\./u.test(word));
}
