import type { Facts } from './facts.ts';

/** Closers of one cost: what they may spend each. */
export interface Tier {
  readonly heartbeats: number;
  readonly tactics: readonly string[];
}

/** Changes whenever the lists below do: it is part of every arm's signature. */
export const closersVersion = 1;

/**
 * Tactics that finish a goal or fail, cheap ones first. With what the preamble offers as arguments: `simp` and `grind` do
 * not unfold a definition or use a lemma unless they are told.
 */
export function closers(facts: Facts): Tier[] {
  const definitions = list(facts.definitions);
  const both = list([...facts.definitions, ...facts.lemmas]);
  const all = list([...facts.allDefinitions, ...facts.allLemmas]);
  const withInstances = list([...facts.definitions, ...facts.instances, ...facts.lemmas]);
  return [
    { heartbeats: 500, tactics: ['rfl', 'assumption', 'contradiction', 'decide', 'simp', 'omega'] },
    {
      heartbeats: 1500,
      tactics: unique([
        ...variants('simp', [definitions, both]),
        'simp_all',
        'grind',
        ...variants('simp_all', [definitions, both]),
        ...variants('grind', [definitions, both]),
        'simp +arith',
        'ac_rfl',
        'solve_by_elim',
        'intros; trivial',
        'exact of_decide_eq_true rfl',
      ]),
    },
    {
      heartbeats: 5000,
      tactics: unique([
        ...variants('grind', ['', both, all]),
        ...variants('simp_all', [withInstances, all]),
        `simp_all +arith${definitions}`,
        `(simp_all${definitions}; omega)`,
        `(simp${definitions}; omega)`,
        `(simp${both}; grind)`,
        `(split <;> simp_all${definitions})`,
        'decide',
        'omega',
      ]),
    },
  ];
}

/** ` [a, b]`, or nothing. */
export function list(names: readonly string[]): string {
  const distinct = unique(names);
  return distinct.length === 0 ? '' : ` [${distinct.join(', ')}]`;
}

function variants(tactic: string, lists: readonly string[]): string[] {
  return lists.map((names) => `${tactic}${names}`);
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
