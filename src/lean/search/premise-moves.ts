import type { Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { unique } from './closers.ts';
import { proofsOf } from './hypothesis-moves.ts';
import { fresh, type Moves } from './moves.ts';
import { localsOf, mentions, type Local } from './shapes.ts';

const most = 30;
/** Number of premises used with every template; the others are used only if a goal mentions their symbols. */
const atOnce = 6;

/** Uses of a lemma on the goal: prove it, apply backwards, rewrite in either direction. */
export const premiseMoves: Moves = (goal, facts) =>
  unique(
    nearestPremises(goal, facts)
      .slice(0, atOnce)
      .flatMap((lemma) => [
        `apply ${lemma}`,
        `rw [${lemma}]`,
        `rw [← ${lemma}]`,
        `(apply ${lemma} <;> assumption)`,
        `simp only [${lemma}]`,
      ]),
  ).slice(0, most);

/** Uses of a lemma on hypotheses: instantiate at local terms, replace or rewrite a hypothesis. */
export const instanceMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const proofs = proofsOf(locals).filter(({ shape }) => shape !== 'function');
  const values = locals
    .filter(({ name, shape }) => isValue(shape) && mentions(goal.target, name))
    .slice(0, 3);
  const name = fresh(goal, 'hn');
  const made = nearestPremises(goal, facts)
    .slice(0, atOnce)
    .flatMap((lemma) => {
      const fitting = proofs.filter((proof) => shares(lemma, proof.type, facts));
      const pairs = fitting.flatMap((first) =>
        proofs.filter((other) => other !== first).map((other) => `${first.name} ${other.name}`),
      );
      return [
        ...fitting.map((proof) => `have ${name} := ${lemma} ${proof.name}`),
        ...fitting.map((proof) => `rw [${lemma}] at ${proof.name}`),
        ...fitting.map((proof) => `have ${name} := ${lemma} _ ${proof.name}`),
        ...pairs.slice(0, 2).map((both) => `have ${name} := ${lemma} ${both}`),
        ...values.map((value) => `have ${name} := ${lemma} ${value.name}`),
        ...pairsOf(values).map((both) => `have ${name} := ${lemma} ${both}`),
        ...fitting.map((proof) => `replace ${proof.name} := ${lemma} ${proof.name}`),
        ...fitting.map((proof) => `have ${name} := ${lemma} _ _ ${proof.name}`),
      ];
    });
  return unique(made).slice(0, most);
};

/** Sorts lemmas by the share of their symbols that occur in the goal; ties keep the order of the preamble. */
export function nearestPremises({ target, hypotheses }: Goal, facts: Facts): string[] {
  const known = hypotheses.map(({ type }) => type).join(' ');
  const score = (lemma: string): number => {
    const symbols = (facts.lemmaSymbols.get(lemma) ?? []).map(lastPart);
    const inTarget = symbols.filter((symbol) => mentions(target, symbol)).length;
    const inKnown = symbols.filter((symbol) => mentions(known, symbol)).length;
    return (2 * inTarget + inKnown) / (2 + symbols.length);
  };
  return unique([...facts.lemmas, ...facts.allLemmas])
    .map((lemma) => ({ lemma, score: score(lemma) }))
    .sort((first, second) => second.score - first.score)
    .map(({ lemma }) => lemma);
}

/** Whether a lemma and a hypothesis share symbols. */
function shares(lemma: string, type: string, { lemmaSymbols }: Facts): boolean {
  return (lemmaSymbols.get(lemma) ?? []).some((symbol) => mentions(type, lastPart(symbol)));
}

function pairsOf(values: readonly Local[]): string[] {
  return values.flatMap((first, index) =>
    values.slice(index + 1).map((second) => `${first.name} ${second.name}`),
  );
}

function isValue(shape: Local['shape']): boolean {
  return shape === 'data' || shape === 'other';
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}
