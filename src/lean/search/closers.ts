import { rulesOf, type Facts } from '../premises/facts.ts';

/** Closers of similar cost, with their limit. */
export interface Tier {
  readonly heartbeats: number;
  readonly tactics: readonly string[];
}

/** Increased whenever the lists below change: it is part of every arm's signature. */
export const closersVersion = 5;

/**
 * Tactics that close a goal or fail, cheap ones first. Their arguments come from the preamble, because `simp` and `grind`
 * unfold definitions and use lemmas only if named.
 */
export function closers(facts: Facts): Tier[] {
  const definitions = list(facts.definitions);
  const rules = rulesOf(facts);
  const known = [...facts.definitions, ...rules, ...facts.lemmas];
  // retrieved lemmas may rewrite in circles, so `simp` gets only those of the preamble
  const own = facts.lemmas.filter((name) => !facts.library?.has(name));
  const both = list([...facts.definitions, ...own]);
  const every = [...facts.allDefinitions, ...rules, ...facts.allLemmas];
  const all = list(every);
  const unfolding = list([...facts.definitions, ...facts.instances, ...facts.operators]);
  const hasInstances = facts.instances.length > 0;
  const backwards = [...rules, ...facts.lemmas];
  const grind = (names: readonly string[]): string =>
    `grind${list(names.filter((name) => facts.grindable?.has(name) ?? true))}`;
  // terms cancel only after reassociation in both directions; such laws are recognised by their names
  const associative = facts.lemmas.filter(
    (name) => /assoc/i.test(name) && facts.grindable?.has(name) === true,
  );
  const grindBothWays = (names: readonly string[], laws: readonly string[]): string =>
    grind(names).replace(/\]$/, `, ${laws.map((law) => `=_ ${law}`).join(', ')}]`);
  return [
    {
      heartbeats: 400,
      tactics: unique([
        'rfl',
        'assumption',
        'contradiction',
        // it was already run when the goal was opened, so it is free
        'simp',
        `simp${definitions}`,
        'omega',
        `simp_all${definitions}`,
        'decide',
        'decide +revert',
      ]),
    },
    {
      heartbeats: 1200,
      tactics: unique([
        grind(known),
        ...(associative.length > 0 ? [grindBothWays(known, associative)] : []),
        'simp_all',
        `simp_all${both}`,
        grind(facts.definitions),
        'grind',
        `solve_by_elim${list(backwards)}`,
        ...(hasInstances
          ? [`simp${unfolding}`, `(dsimp only${unfolding}; simp)`, `(dsimp only${unfolding}; grind)`]
          : []),
        `(simp_all${definitions}; omega)`,
        `(simp${definitions}; omega)`,
      ]),
    },
    {
      heartbeats: 3500,
      tactics: unique([
        'simp +arith',
        'ac_rfl',
        'exact of_decide_eq_true rfl',
        `(simp${both}; grind)`,
        `(split <;> simp_all${definitions})`,
        ...(backwards.length > 0 ? [`(simp_all${definitions}; solve_by_elim${list(backwards)})`] : []),
        ...(hasInstances
          ? [
              `simp_all${unfolding}`,
              `(dsimp only${unfolding}; omega)`,
              `(simp${unfolding}; grind)`,
              `(dsimp only${unfolding}; ac_rfl)`,
            ]
          : []),
        grind(every),
        grind(known),
        ...(facts.predicates.length > 0 ? [grind([...facts.predicates, ...facts.definitions])] : []),
        `simp_all${all}`,
        `simp_all +arith${definitions}`,
        'grind',
        'omega',
      ]),
    },
  ];
}

/** ` [a, b]`, or empty. */
export function list(names: readonly string[]): string {
  const distinct = unique(names);
  return distinct.length === 0 ? '' : ` [${distinct.join(', ')}]`;
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
