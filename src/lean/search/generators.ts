import { rulesOf, type Facts } from '../premises/facts.ts';
import type { Goal, Moves } from '../base/protocol.ts';
import { closers, list, unique, type Tier } from './closers.ts';

/** A goal as a generator sees it; goals that share unknowns come together. */
interface View {
  readonly goals: readonly Goal[];
  /** The steps that Lean reads from the first goal. */
  readonly moves: Moves;
  readonly facts: Facts;
  /** Only closing tactics: the search may not go deeper. */
  readonly isLast: boolean;
}

/** Proposals for one request to Lean, with their limit. */
export interface Proposals extends Tier {
  /** The tactics are queries (`exact?`); their suggestions are tried. */
  readonly asks?: boolean;
  /** Computes the tactics only when needed. */
  readonly finds?: () => Promise<readonly string[]>;
  /** Per tactic: the number of earlier ones of its kind. */
  readonly places?: ReadonlyMap<string, number>;
}

/** The stages of proposals for a goal, most promising first. */
export type Generator = (view: View) => readonly Proposals[];

/** Changes whenever the stages below or the moves in Lean do. */
export const movesVersion = 8;

/** A step gets a third of a second, more than any useful one takes. */
const stepHeartbeats = 1000;
/** An unsuccessful `exact?` takes about a second. */
const askHeartbeats = 5000;
/** Number of proposals per stage; the others wait for a later stage. */
const stepsAtOnce = 20;
/** The expensive closers with the most successes. */
const firstClosers = 3;

/**
 * Combines proposals: cheap closers, the best usual closers, inductions whose cases are all simple, then steps of every kind, most
 * likely ones first. Closers that seldom help come after the first steps.
 */
export function generatorOf(questions: readonly string[] = []): Generator {
  return ({ goals, moves, facts, isLast }) => {
    if (goals.length === 0) return [];
    const [cheap, usual] = closers(facts);
    const finishing = [cheap, usual].filter((tier) => tier !== undefined);
    if (isLast) return finishing;
    const [likely, ...later] = rounds([...moves.kinds, simplifications(facts)]);
    const asking = questions.map((tactic) => ({ heartbeats: askHeartbeats, tactics: [tactic], asks: true }));
    const stages: Proposals[] = [
      ...finishing.slice(0, 1),
      ...split(usual, 0, firstClosers),
      inOneStep(moves, facts),
      ...asking.slice(0, 1),
      ...(likely ? [likely] : []),
      ...split(usual, firstClosers),
      ...asking.slice(1),
      ...later,
    ];
    return stages.filter(({ tactics, finds }) => tactics.length > 0 || finds);
  };
}

/** Simplifies the goal with known facts and leaves the rest to other steps. */
function simplifications({ definitions, lemmas }: Facts): string[] {
  const both = list([...definitions, ...lemmas]);
  return unique([`simp${list(definitions)}`, `simp_all${list(definitions)}`, `simp_all${both}`]);
}

/** Number of inductions tried with one closer for all cases. */
const inductionsAtOnce = 2;
const oneStepHeartbeats = 2500;

/** Likely inductions followed by a closer: if all cases are simple, none becomes a goal. */
function inOneStep({ kinds: [inductions = []] }: Moves, facts: Facts): Proposals {
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
    tactics: inductions
      .slice(0, inductionsAtOnce)
      .map((move) => `(${move} <;> (first | ${finishing.join(' | ')}))`),
  };
}

function split(tier: Tier | undefined, from: number, to?: number): Proposals[] {
  return tier ? [{ ...tier, tactics: tier.tactics.slice(from, to) }] : [];
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
