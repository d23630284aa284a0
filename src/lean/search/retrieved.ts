import type { Goal } from '../base/protocol.ts';
import type { Facts } from '../premises/facts.ts';
import type { Bench } from './bench.ts';
import { list, unique, type Tier } from './closers.ts';
import type { Generator } from './generators.ts';
import { proofsOf } from './hypothesis-moves.ts';
import { fresh } from './moves.ts';
import { localsOf } from './shapes.ts';

/** It comes after what is cheap: the plain closers, what takes a goal apart, the usual closers. */
const cheapStages = 3;
/** Theorems that are tried one by one by what is expensive. */
const singled = 4;
/** Hypotheses that theorems are applied to. */
const mostProofs = 4;

/** What finishes the goals that a theorem leaves: its hypotheses, mostly. */
const finishing = '(first | assumption | rfl | omega | (simp_all; done))';

/** A search whose every goal has theorems of its own: what may close it with them, then the steps that they allow. */
export function retrieving(generator: Generator, premises: Bench['premises'], count: number): Generator {
  if (!premises) return generator;
  return (goals, facts, isLast) => {
    const stages = generator(goals, facts, isLast);
    const [goal] = goals;
    if (isLast || !goal) return stages;
    let asked: ReturnType<typeof premises> | undefined;
    const found = async (): Promise<string[]> =>
      (await (asked ??= premises(count, goals))).map(({ name }) => name);
    const closing = [0, 1, 2].map((tier) => ({
      heartbeats: tierHeartbeats[tier] ?? 0,
      tactics: [],
      finds: async () => premiseClosers(await found(), facts)[tier]?.tactics ?? [],
    }));
    const [applied, rewritten, late] = closing;
    const steps = {
      heartbeats: 1000,
      tactics: [],
      finds: async () => premiseSteps(goal, await found()),
    };
    return [
      ...stages.slice(0, cheapStages),
      applied,
      rewritten,
      steps,
      ...stages.slice(cheapStages),
      late, // seconds where nothing of it works
    ].filter((stage) => stage !== undefined);
  };
}

const tierHeartbeats = [600, 1500, 1500];

/**
 * What may close a goal with theorems that nobody asked for: applied backwards with its hypotheses found among what is known,
 * simplified with all of them, rewritten with each, and given to `grind`.
 */
export function premiseClosers(
  names: readonly string[],
  { definitions }: Pick<Facts, 'definitions'>,
): Tier[] {
  if (names.length === 0) return [];
  const first = names.slice(0, singled);
  const tiers = [
    names.map((name) => `(apply ${name} <;> ${finishing})`),
    [
      `simp${list([...definitions, ...names])}`,
      `simp_all${list([...definitions, ...names])}`,
      ...names.flatMap((name) => [`(rw [${name}] <;> ${finishing})`, `(rw [← ${name}] <;> ${finishing})`]),
    ],
    [
      ...first.map((name) => `grind${list([...definitions, name])}`),
      ...first.map((name) => `simpa${list(definitions)} using ${name} ..`),
      ...first.flatMap((name) => [
        `(apply (${name}).mpr <;> ${finishing})`,
        `(apply (${name}).mp <;> ${finishing})`,
        `(symm; apply ${name} <;> ${finishing})`,
      ]),
    ],
  ];
  return tiers.map((tactics, tier) => ({ heartbeats: tierHeartbeats[tier] ?? 0, tactics }));
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
