import { expect, test } from 'vitest';
import { canBeSaid } from '../../../src/arc/search/emit-rule.ts';
import { partNames } from '../../../src/arc/language/features/features.ts';

const asking = (count: number): Parameters<typeof canBeSaid>[0] => ({
  columns: [],
  table: Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at), `@#${at}`])),
});

test('a rule that asks more pieces than the language has names for is none', () => {
  expect(canBeSaid(asking(partNames.length))).toBe(true);
  expect(canBeSaid(asking(partNames.length + 1))).toBe(false);
});
