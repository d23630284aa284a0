import type { Constant } from '../base/protocol.ts';
import { lastPart } from './declarations.ts';

/**
 * Instances and paths between classes that lead to an operation: no lemma mentions them, and unfolding them does not help
 * `simp`.
 */
export function isClassPath(name: string): boolean {
  return /^(?:to\p{Lu}|inst)/u.test(lastPart(name));
}

/**
 * The lemmas of a project's modules that share most with the goal. They are compared by operations, not by classes: `mul_assoc`
 * is about semigroups and serves every group. Rare symbols weigh more.
 */
export function nearestLemmas(lemmas: readonly Constant[], goal: readonly string[]): string[] {
  const all = [goal, ...lemmas.map(({ symbols }) => symbols)];
  const classes = new Set(all.flat().filter(isClassPath).map(owner));
  const subjects = (symbols: readonly string[]): Set<string> =>
    new Set(symbols.filter((symbol) => !isClassPath(symbol) && !classes.has(symbol)));
  const counts = new Map<string, number>();
  for (const symbols of all) for (const one of subjects(symbols)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const weight = (some: ReadonlySet<string>): number =>
    [...some].reduce((sum, one) => sum + 1 / Math.log2(1 + (counts.get(one) ?? 1)), 0);
  const wanted = subjects(goal);
  return lemmas
    .map(({ name, symbols }) => {
      const its = subjects(symbols);
      return { name, score: weight(its.intersection(wanted)) / weight(its.union(wanted)) };
    })
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .map(({ name }) => name);
}

/** `Monoid` of `Monoid.toSemigroup`. */
function owner(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
