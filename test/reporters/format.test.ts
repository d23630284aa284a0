import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCodePoints } from '../helpers/code-points.ts';
import { alignColumns } from '../../src/reporters/format.ts';

test('columns are aligned', () => {
  expect(
    alignColumns(
      [
        ['a', 'bb'],
        ['ccc', 'd'],
      ],
      ['right', 'left'],
    ),
  ).toBe('  a  bb\nccc  d\n');
});

test('foreign text in a cell cannot add lines or control sequences', () => {
  fc.assert(
    fc.property(fc.array(anyCodePoints(), { minLength: 1, maxLength: 5 }), (cells) => {
      const table = alignColumns(cells.map((cell) => ['✓', cell]));
      expect(table.split('\n')).toHaveLength(cells.length + 1);
      expect(table.replaceAll('\n', '')).not.toMatch(/[\p{Control}\p{Format}\p{Surrogate}]/u);
    }),
    { numRuns: 30 },
  );
});
