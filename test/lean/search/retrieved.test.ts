import { expect, test } from 'vitest';
import type { Goal } from '../../../src/lean/base/protocol.ts';
import { factsOf } from '../../../src/lean/premises/facts.ts';
import { premiseClosers, premiseSplits, retrieving } from '../../../src/lean/search/retrieved.ts';
import { goalOf } from '../strategies/micro/bench.ts';

const facts = factsOf({ goal: goalOf('theorem t : True'), own: [], symbols: [] });
const goal: Goal = {
  hypotheses: [{ name: 'h', type: 'p', kind: 'claim', head: 'p' }],
  target: 'q',
};
const moves = { naming: [], safe: [], kinds: [['induction l'], ['cases l']] };
const view = { goals: [goal], moves, facts, isLast: false };

const none = { names: [], grindable: [] };

test('each goal retrieves theorems once, after the cheap stages, unless only closers remain', async () => {
  const asked: string[] = [];
  const find = async (open: readonly Goal[]) => {
    asked.push(open.map(({ target }) => target).join());
    return { names: ['Nat.le_of_lt', 'Nat.le_refl'], grindable: ['Nat.le_of_lt'] };
  };
  const cheap = ['first', 'second', 'third', 'fourth'].map((tactic) => ({
    heartbeats: 1,
    tactics: [tactic],
  }));
  const generator = retrieving(() => cheap, find);
  const stages = generator(view);
  const made = [undefined, undefined, undefined, undefined];
  expect(stages.map(({ tactics }) => tactics[0])).toEqual(['first', 'second', 'third', ...made, 'fourth']);
  const found = await Promise.all(stages.slice(3, 7).map(async (stage) => (await stage.finds?.()) ?? []));
  expect(asked).toEqual(['q']);
  expect(found[0]?.[0]).toMatch(/^\(apply Nat\.le_of_lt <;> /);
  expect(found[1]).toEqual(
    expect.arrayContaining(['grind [Nat.le_of_lt]', 'simp_all [Nat.le_of_lt, Nat.le_refl]']),
  );
  expect(found.at(-1)).toEqual(expect.arrayContaining(['rw [Nat.le_of_lt]', 'apply Nat.le_of_lt']));
  expect(generator({ ...view, isLast: true })).toBe(cheap);
  expect(retrieving(() => cheap, undefined)(view)).toBe(cheap);
});

test('nothing is tried if nothing was found', () => {
  expect(premiseClosers(none, facts)).toEqual([]);
  expect(premiseSplits(moves, none, facts).tactics).toEqual([]);
});

test('a split gives all theorems to every case', () => {
  const { tactics } = premiseSplits(moves, { names: ['a', 'b'], grindable: ['b'] }, facts);
  expect(tactics).toContain('(induction l <;> (first | (simp_all [a, b]; done) | grind [b]))');
});
