import { expect, test } from 'vitest';
import { itemAt } from '../../src/core/item-at.ts';

test('an index out of range is an error, not a zero', () => {
  expect(itemAt([1, 2], 1)).toBe(2);
  expect(() => itemAt(new Float64Array(2), 2)).toThrow('no item 2 among 2');
  expect(() => itemAt([], -1)).toThrow(RangeError);
});
