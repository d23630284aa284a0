import { lawsFor, provedByEquations, type Questions } from './equations/prove-equation.ts';
import { rulesOf, type Facts } from '../premises/facts.ts';
import type { Goal } from '../base/protocol.ts';
import { closers, list, unique, type Tier } from './closers.ts';
import { bothSidesMoves, lawMoves } from './equation-moves.ts';
import { forwardMoves, hypothesisMoves } from './hypothesis-moves.ts';
import { inductionMoves } from './induction-moves.ts';
import { caseMoves, introductions, simplifyMoves, structureMoves, type Moves } from './moves.ts';
import { instanceMoves, premiseMoves } from './premise-moves.ts';
import { strengthened } from './strengthen.ts';
import { localsOf, type Local } from './shapes.ts';

/** Proposals for one request to Lean, with their limit. */
export interface Proposals extends Tier {
  /** The tactics are queries (`exact?`); their suggestions are tried. */
  readonly asks?: boolean;
  /** Computes the tactics only when needed, because it requires Lean. */
  readonly finds?: (lean: Questions) => Promise<readonly string[]>;
  /** Per tactic: the number of earlier ones of its kind. */
  readonly places?: ReadonlyMap<string, number>;
  /** Per tactic: the test that shows it is useless. */
  readonly refutations?: ReadonlyMap<string, string>;
}

/** The stages of proposals for a goal, most promising first; `isLast`: only closing tactics. */
export type Generator = (goals: readonly Goal[], facts: Facts, isLast: boolean) => readonly Proposals[];

/** A step gets a third of a second, more than any useful one takes. */
const stepHeartbeats = 1000;
/** An unsuccessful `exact?` takes about a second. */
const askHeartbeats = 5000;
/** Number of proposals of one kind per stage; the others wait for a later stage. */
const stepsAtOnce = 20;
/** The expensive closers with the most successes. */
const firstClosers = 3;

/**
 * Combines generators: cheap closers, structural steps, the best usual closers, then steps of every kind, most likely ones
 * first. Closers that seldom help come after the first steps. `mostLooks`: the limit of the last equational search.
 */
export function generatorOf(
  kinds: readonly Moves[],
  questions: readonly string[] = [],
  mostLooks = 0,
): Generator {
  return ([goal], facts, isLast) => {
    if (!goal) return [];
    const [cheap, usual] = closers(facts);
    const finishing = [cheap, usual].filter((tier) => tier !== undefined);
    if (isLast) return finishing;
    const apart = { heartbeats: stepHeartbeats, tactics: apartMoves(goal, facts) };
    const others = kinds.map((moves) => moves(goal, facts).filter((move) => !apart.tactics.includes(move)));
    const [likely, ...later] = rounds(others);
    const asking = questions.map((tactic) => ({ heartbeats: askHeartbeats, tactics: [tactic], asks: true }));
    const isAlgebra = isAbstract(goal);
    const stages: Proposals[] = [
      ...finishing.slice(0, 1),
      apart,
      ...split(usual, 0, firstClosers),
      ...(isAlgebra ? [byEquations(goal, facts, equationLooks.long)] : []),
      inOneStep(goal, facts),
      general(goal, facts),
      ...asking.slice(0, 1),
      ...(likely ? [likely] : []),
      ...split(usual, firstClosers),
      ...(isAlgebra ? [] : [byEquations(goal, facts, equationLooks.short)]),
      ...asking.slice(1),
      ...(mostLooks > 0 ? [byEquations(goal, facts, mostLooks)] : []),
      ...later,
    ];
    return stages.filter(({ tactics, finds }) => tactics.length > 0 || finds);
  };
}

/** All kinds that need only the goal and its preamble. */
export const everyKind: readonly Moves[] = [
  inductionMoves,
  caseMoves,
  hypothesisMoves,
  structureMoves,
  simplifyMoves,
  premiseMoves,
  forwardMoves,
  instanceMoves,
  bothSidesMoves,
  lawMoves,
];

/** Number of inductions tried with one closer for all cases. */
const inductionsAtOnce = 2;
const oneStepHeartbeats = 2500;
/** Enough to check a proof of some hundred steps. */
const equationHeartbeats = 10_000;
/** Groups need some dozens (about 0.1 s), rings some hundreds (0.8 s). */
const equationLooks = { short: 150, long: 1200 } as const;

/** Likely inductions followed by a closer: if all cases are simple, none becomes a goal. */
function inOneStep(goal: Goal, facts: Facts): Proposals {
  const definitions = list(facts.definitions);
  const rules = [...facts.definitions, ...rulesOf(facts), ...facts.lemmas];
  const usable = (names: readonly string[]): string =>
    `grind${list(names.filter((name) => facts.grindable?.has(name) ?? true))}`;
  const finishing = unique([
    usable(rules),
    usable([...facts.predicates, ...facts.definitions]),
    `(simp_all${definitions}; done)`,
    `(simp_all${definitions}; omega)`,
  ]);
  return {
    heartbeats: oneStepHeartbeats,
    tactics: inductionMoves(goal, facts)
      .slice(0, inductionsAtOnce)
      .map((move) => `(${move.replace(/^\((.*)\)$/s, '$1')} <;> (first | ${finishing.join(' | ')}))`),
  };
}

/** Equational search by laws, for goals that are equations. */
function byEquations(goal: Goal, facts: Facts, looks: number): Proposals {
  const isEquation = goal.target_head === 'Eq';
  const isKnown = lawsFor(goal, facts).length + localsOf(goal).filter(isEquational).length > 0;
  return {
    heartbeats: equationHeartbeats,
    tactics: [],
    ...(isEquation &&
      isKnown && { finds: async (lean) => await provedByEquations(goal, facts, lean, looks) }),
  };
}

function isEquational({ head, concludes }: Local): boolean {
  return head === 'Eq' || concludes === 'Eq';
}

/** A type whose values are given only by laws, so that equational reasoning is complete for it. */
function isAbstract(goal: Goal): boolean {
  const locals = localsOf(goal);
  return locals.some(({ name, shape }) => shape === 'sort' && locals.some(({ type }) => type === name));
}

function split(tier: Tier | undefined, from: number, to?: number): Proposals[] {
  return tier ? [{ ...tier, tactics: tier.tactics.slice(from, to) }] : [];
}

function general(goal: Goal, facts: Facts): Proposals {
  const found = strengthened(goal, facts);
  return {
    heartbeats: stepHeartbeats,
    tactics: found.map(({ tactic }) => tactic),
    refutations: new Map(
      found.flatMap(({ tactic, refutation }) => (refutation === undefined ? [] : [[tactic, refutation]])),
    ),
  };
}

/** Steps that lose nothing and simplify the goal. */
function apartMoves(goal: Goal, facts: Facts): string[] {
  const { target_kind: kind, target_head: head } = goal;
  const isQuantified = kind === 'quantifier' || head === 'Not';
  const isPair = head === 'And' || head === 'Iff';
  return unique([
    ...(isQuantified ? introductions(goal).slice(-2) : []),
    ...(isPair ? ['constructor'] : []),
    ...structureMoves(goal, facts).filter((move) => /^(?:obtain|rcases|intro) /.test(move)),
  ]);
}

/** The first few of each kind, then the next few of each. */
function rounds(kinds: readonly (readonly string[])[]): Proposals[] {
  const stages: Proposals[] = [];
  const places = new Map(kinds.flatMap((moves) => moves.map((move, place) => [move, place] as const)));
  const longest = Math.max(0, ...kinds.map(({ length }) => length));
  const filled = kinds.filter(({ length }) => length > 0).length;
  const share = Math.max(2, Math.floor(stepsAtOnce / Math.max(1, filled)));
  for (let from = 0; from < longest; from += share) {
    const tactics = unique(kinds.flatMap((moves) => moves.slice(from, from + share)));
    stages.push({ heartbeats: stepHeartbeats, tactics, places });
  }
  return stages;
}
