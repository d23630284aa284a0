import type { Goal, Moves } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import type { Bench } from './bench.ts';
import { list, unique, type Tier } from './closers.ts';
import type { Generator } from './generators.ts';
import { grindable } from './usable-premises.ts';

/** It comes after cheap stages: plain closers, structural steps, the usual closers. */
const cheapStages = 3;
/** Number of theorems tried one by one and in `simp`; `grind` gets all of them. */
const singled = 8;
/** Number of inductions and case splits tried with all theorems in every case. */
const mostSplits = { inductions: 3, cases: 1 };

/** Closes the goals that a theorem leaves, which are mostly its hypotheses. */
const finishing = '(first | assumption | rfl | omega | (simp_all; done))';

/**
 * A search that retrieves theorems for each goal: first it tries to close the goal with them, then it takes
 * steps with them.
 */
export function retrieving(
  generator: Generator,
  find: ((open: readonly Goal[]) => Promise<Found>) | undefined,
): Generator {
  if (!find) return generator;
  return (view) => {
    const { goals, facts, isLast } = view;
    const stages = generator(view);
    if (isLast || goals.length === 0) return stages;
    let asked: Promise<Found> | undefined;
    const found = async (): Promise<Found> => await (asked ??= find(goals));
    const closing = tierHeartbeats.map((heartbeats, tier) => ({
      heartbeats,
      tactics: [],
      finds: async () => premiseClosers(await found(), facts)[tier]?.tactics ?? [],
    }));
    const [applied, together, rewritten] = closing;
    const steps = {
      heartbeats: 1000,
      tactics: [],
      finds: async () => premiseSteps((await found()).names.slice(0, singled)),
    };
    return [
      ...stages.slice(0, cheapStages),
      applied,
      together,
      rewritten,
      steps,
      ...stages.slice(cheapStages),
    ].filter((stage) => stage !== undefined);
  };
}

/** Theorems that were found for a goal, best first. */
export interface Found {
  readonly names: readonly string[];
  /** Those that `grind` accepts. */
  readonly grindable: readonly string[];
}

/** Finds this many theorems for a goal, or for the open goals of one of its states. */
export function finderOf(
  { premises, ...bench }: Pick<Bench, 'workbench' | 'account' | 'premises'>,
  count: number,
): ((open?: readonly Goal[]) => Promise<Found>) | undefined {
  return (
    premises &&
    (async (open) => {
      const names = (await premises(count, open)).map(({ name }) => name);
      return { names, grindable: await grindable(bench, names) };
    })
  );
}

const tierHeartbeats = [600, 2500, 1500];

/**
 * Closers with retrieved theorems: each applied backwards with premises from the context; all given to `grind`
 * and `simp`, which select useful combinations; and rewriting with each.
 */
export function premiseClosers(found: Found, { definitions }: Pick<Facts, 'definitions'>): Tier[] {
  const names = found.names.slice(0, singled);
  if (names.length === 0) return [];
  const tiers = [
    names.map((name) => `(apply ${name} <;> ${finishing})`),
    [
      ...grindWith(found, definitions),
      ...['simp', 'simp_all'].map((simp) => simp + list([...definitions, ...names])),
    ],
    names.flatMap((name) => [`(rw [${name}] <;> ${finishing})`, `(rw [← ${name}] <;> ${finishing})`]),
  ];
  return tiers.map((tactics, tier) => ({ heartbeats: tierHeartbeats[tier] ?? 0, tactics }));
}

function grindWith({ grindable: usable }: Found, definitions: readonly string[]): string[] {
  const lists = [usable.slice(0, singled), usable].filter(({ length }) => length > 0);
  return unique(lists.map((names) => `grind${list([...definitions, ...names])}`));
}

/** Inductions and case splits with all theorems in every case. */
export function premiseSplits(
  { kinds: [inductions = [], cases = []] }: Moves,
  found: Found,
  facts: Facts,
): Tier {
  const { definitions } = facts;
  const names = found.names.slice(0, singled);
  const closers = [
    `(simp_all${list([...definitions, ...names])}; done)`,
    ...grindWith(found, definitions),
  ].join(' | ');
  const splits = [...inductions.slice(0, mostSplits.inductions), ...cases.slice(0, mostSplits.cases)];
  const tactics = unique(splits).map((move) => `(${move} <;> (first | ${closers}))`);
  return { heartbeats: 3000, tactics: names.length === 0 ? [] : tactics };
}

/** Steps on the goal with each theorem. */
function premiseSteps(names: readonly string[]): string[] {
  return unique(
    names.flatMap((name) => [`rw [${name}]`, `apply ${name}`, `rw [← ${name}]`, `simp only [${name}]`]),
  );
}
