import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPositive,
  isZero,
  levelAtMost,
  levelsEqual,
  LevelTable,
  type Level,
} from '../../src/kernel/level.ts';
import { Names } from '../../src/kernel/name.ts';

const names = new Names();
const table = new LevelTable();
const params = ['u', 'v', 'w'].map((text) => names.of(text));

const levels: fc.Arbitrary<Level> = fc.letrec<{ level: Level }>((tie) => ({
  level: fc.oneof(
    { maxDepth: 5 },
    fc.constant(table.zero),
    fc.constantFrom(...params).map((name) => table.param(name)),
    tie('level').map((level) => table.succ(level)),
    fc.tuple(tie('level'), tie('level')).map(([a, b]) => table.max(a, b)),
    fc.tuple(tie('level'), tie('level')).map(([a, b]) => table.imax(a, b)),
  ),
})).level;

function evaluate(level: Level, values: readonly number[]): number {
  const left = level.left === null ? 0 : evaluate(level.left, values);
  const right = level.right === null ? 0 : evaluate(level.right, values);
  switch (level.kind) {
    case 'zero':
      return 0;
    case 'succ':
      return left + 1;
    case 'max':
      return Math.max(left, right);
    case 'imax':
      return right === 0 ? 0 : Math.max(left, right);
    case 'param':
      return values[params.findIndex((name) => name === level.param)] ?? 0;
  }
}

/** Levels of this depth differ, if they do, for small values already. */
const valuations = Array.from({ length: 8 ** 3 }, (_, i) => [
  i % 8,
  Math.floor(i / 8) % 8,
  Math.floor(i / 64),
]);

test('order, equality and zero agree with the values', () => {
  fc.assert(
    fc.property(levels, levels, (a, b) => {
      const isAtMost = valuations.every((values) => evaluate(a, values) <= evaluate(b, values));
      expect(levelAtMost(a, b)).toBe(isAtMost);
      expect(levelsEqual(a, b)).toBe(
        valuations.every((values) => evaluate(a, values) === evaluate(b, values)),
      );
      expect(isZero(a)).toBe(valuations.every((values) => evaluate(a, values) === 0));
      expect(isPositive(a)).toBe(valuations.every((values) => evaluate(a, values) > 0));
    }),
    { numRuns: 300 },
  );
});

test('instantiation commutes with evaluation', () => {
  fc.assert(
    fc.property(levels, levels, (a, b) => {
      const [u] = params;
      if (u === undefined) return;
      const instantiated = table.instantiate(a, new Map([[u, b]]));
      for (const values of valuations.slice(0, 64)) {
        const [, v = 0, w = 0] = values;
        expect(evaluate(instantiated, values)).toBe(evaluate(a, [evaluate(b, values), v, w]));
      }
    }),
    { numRuns: 100 },
  );
});

test('imax u v + 1 is not at most imax u v', () => {
  const [u, v] = params.map((name) => table.param(name));
  if (u === undefined || v === undefined) throw new Error('no parameters');
  const level = table.imax(u, v);
  expect(levelAtMost(table.succ(level), level)).toBe(false);
  expect(levelAtMost(level, table.succ(level))).toBe(true);
});

test('a level that doubles at every step is compared without exponential work', () => {
  let level = table.param(names.of('u'));
  for (let i = 0; i < 200; i++) level = table.max(level, level);
  expect(levelsEqual(level, table.param(names.of('u')))).toBe(true);
  expect(table.instantiate(level, new Map([[names.of('u'), table.one]]))).toBeDefined();
});
