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

/** Proposals that go to Lean in one request, with what each may spend. */
export interface Proposals extends Tier {
  /** The tactics only ask (`exact?`): what Lean proposes then is tried. */
  readonly asks?: boolean;
  /** Makes the tactics when it is their turn, since Lean has to be asked for it. */
  readonly finds?: (lean: Questions) => Promise<readonly string[]>;
  /** By tactic: how many of its kind precede it. */
  readonly places?: ReadonlyMap<string, number>;
  /** By tactic: what shows that it is not worth trying. */
  readonly refutations?: ReadonlyMap<string, string>;
}

/** What may be tried on a goal, the most promising first; `isLast`: only what finishes it. */
export type Generator = (goals: readonly Goal[], facts: Facts, isLast: boolean) => readonly Proposals[];

/** A step gets a third of a second: more than any honest one takes. */
const stepHeartbeats = 1000;
/** `exact?` that finds nothing takes about a second. */
const askHeartbeats = 5000;
/** Proposals of one kind that are looked at together; the others of the kind wait for a later stage. */
const stepsAtOnce = 20;
/** Of the closers that cost something, those that finish most of what any finishes. */
const firstClosers = 3;

/**
 * Generators joined: cheap closers, what takes a goal apart, the best of the usual closers, then steps of every kind, kind by
 * kind and the likely ones of each kind first. Closers that seldom help come after the first steps. `mostLooks`: how far a last
 * look at equations goes.
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

/** All kinds that need nothing but the goal and its preamble. */
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

/** Inductions that are tried with one closer for all of their cases. */
const inductionsAtOnce = 2;
const oneStepHeartbeats = 2500;
/** A proof of some hundred steps is checked in less. */
const equationHeartbeats = 10_000;
/** Groups need some dozens, rings some hundreds: about 0.1 and 0.8 seconds. */
const equationLooks = { short: 150, long: 1200 } as const;

/** The likely inductions with a closer behind them: where every case is plain, no case has to become a goal. */
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

/** What only laws can show; they are asked for where the goal is an equation. */
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

/** Of its values nothing is known but laws: whatever can be said of them follows from those. */
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

/** Steps that lose nothing: what they leave is easier to see. */
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
