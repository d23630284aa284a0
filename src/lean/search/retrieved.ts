import type { Goal } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import type { Bench } from './bench.ts';
import { list, unique, type Tier } from './closers.ts';
import type { Generator } from './generators.ts';
import { proofsOf } from './hypothesis-moves.ts';
import { inductionMoves } from './induction-moves.ts';
import { caseMoves, fresh } from './moves.ts';
import { localsOf } from './shapes.ts';
import { grindable } from './usable-premises.ts';

/** It comes after what is cheap: the plain closers, what takes a goal apart, the usual closers. */
const cheapStages = 3;
/** Theorems that are tried one by one, and in `simp`; `grind` chooses among all. */
const singled = 8;
/** Inductions and case splits that are tried with all theorems in every case. */
const mostSplits = { inductions: 3, cases: 1 };
/** Hypotheses that theorems are applied to. */
const mostProofs = 4;

/** What finishes the goals that a theorem leaves: its hypotheses, mostly. */
const finishing = '(first | assumption | rfl | omega | (simp_all; done))';

/** A search whose every goal has theorems of its own: what may close it with them, then the steps that they allow. */
export function retrieving(
  generator: Generator,
  find: ((open: readonly Goal[]) => Promise<Found>) | undefined,
): Generator {
  if (!find) return generator;
  return (goals, facts, isLast) => {
    const stages = generator(goals, facts, isLast);
    const [goal] = goals;
    if (isLast || !goal) return stages;
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
      finds: async () => premiseSteps(goal, (await found()).names.slice(0, singled)),
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
  /** Those that `grind` takes. */
  readonly grindable: readonly string[];
}

/** Finds this many theorems for a goal as it is stated, or for what is open in a state of it. */
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
 * What may close a goal with theorems that nobody asked for: applied backwards with its hypotheses found among what is known, all of
 * them given to `grind` and `simp`, which find out which ones belong together, and rewritten with each.
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
export function premiseSplits(goal: Goal, found: Found, facts: Facts): Tier {
  const { definitions } = facts;
  const names = found.names.slice(0, singled);
  const closers = [
    `(simp_all${list([...definitions, ...names])}; done)`,
    ...grindWith(found, definitions),
  ].join(' | ');
  const splits = [
    ...inductionMoves(goal, facts).slice(0, mostSplits.inductions),
    ...caseMoves(goal, facts).slice(0, mostSplits.cases),
  ];
  const tactics = unique(splits).map(
    (move) => `(${move.replace(/^\((.*)\)$/s, '$1')} <;> (first | ${closers}))`,
  );
  return { heartbeats: 3000, tactics: names.length === 0 ? [] : tactics };
}

/** What theorems can do to a goal and to what is known, theorem by theorem. */
function premiseSteps(goal: Goal, names: readonly string[]): string[] {
  const proofs = proofsOf(localsOf(goal)).slice(0, mostProofs);
  const fact = fresh(goal, 'hn');
  return unique(
    names.flatMap((name) => [
      `rw [${name}]`,
      `apply ${name}`,
      `rw [← ${name}]`,
      `simp only [${name}]`,
      ...proofs.flatMap((proof) => [
        `have ${fact} := ${name} ${proof.name}`,
        `rw [${name}] at ${proof.name}`,
      ]),
    ]),
  );
}
