import { expect, test } from 'vitest';
import type { Goal } from '../../../src/lean/base/protocol.ts';
import { factsOf } from '../../../src/lean/premises/facts.ts';
import type { Questions } from '../../../src/lean/search/equations/prove-equation.ts';
import { premiseClosers, retrieving } from '../../../src/lean/search/retrieved.ts';
import { goalOf } from '../strategies/micro/bench.ts';

const facts = factsOf({ goal: goalOf('theorem t : True'), own: [], symbols: [] });
const goal: Goal = {
  hypotheses: [{ name: 'h', type: 'p', kind: 'claim', head: 'p' }],
  target: 'q',
};
const lean: Questions = { words: async () => undefined, charge: () => true };

test('each goal retrieves theorems once, after the cheap stages, unless only closers remain', async () => {
  const asked: string[] = [];
  const premises = async (_: number, open: readonly Goal[] = []) => {
    asked.push(open.map(({ target }) => target).join());
    return [{ name: 'Nat.le_of_lt', kind: 'theorem', module: 'Init', symbols: [] }];
  };
  const cheap = ['first', 'second', 'third', 'fourth'].map((tactic) => ({
    heartbeats: 1,
    tactics: [tactic],
  }));
  const generator = retrieving(() => cheap, premises, 8);
  const stages = generator([goal], facts, false);
  expect(stages.map(({ tactics }) => tactics[0])).toEqual([
    'first',
    'second',
    'third',
    undefined,
    undefined,
    undefined,
    'fourth',
    undefined,
  ]);
  const found = await Promise.all(stages.slice(3, 6).map(async (stage) => (await stage.finds?.(lean)) ?? []));
  expect(asked).toEqual(['q']);
  expect(found[0]).toEqual([expect.stringMatching(/^\(apply Nat\.le_of_lt <;> /)]);
  expect(found.at(-1)).toEqual(
    expect.arrayContaining(['rw [Nat.le_of_lt]', 'apply Nat.le_of_lt', 'have hn := Nat.le_of_lt h']),
  );
  expect(generator([goal], facts, true)).toBe(cheap);
  expect(retrieving(() => cheap, undefined, 8)([goal], facts, false)).toBe(cheap);
});

test('nothing is tried if nothing was found', () => {
  expect(premiseClosers([], facts)).toEqual([]);
});
