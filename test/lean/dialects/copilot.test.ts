import { expect, test } from 'vitest';
import { encodeText, goalsOfText, suggestTactics } from '../../../src/lean/dialects/copilot.ts';

function dot(one: string, two: string): number {
  const other = encodeText(two);
  return encodeText(one).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

test('a printed state is parsed', () => {
  expect(goalsOfText('case left\np q : Prop\nh : p ∧\n  q\nn : Nat := 3\n⊢ p\n\n⊢ q')).toEqual([
    {
      case: 'left',
      hypotheses: [
        { name: 'p', type: 'Prop' },
        { name: 'q', type: 'Prop' },
        { name: 'h', type: 'p ∧ q' },
        { name: 'n', type: 'Nat', value: '3' },
      ],
      target: 'p',
    },
    { hypotheses: [], target: 'q' },
  ]);
  expect(goalsOfText('no goals')).toEqual([]);
});

test('tactics start with the requested prefix, and similar texts have similar vectors', () => {
  const state = 'n : Nat\n⊢ n + 0 = n';
  const outputs = suggestTactics(state, 'simp', []);
  expect(outputs.length).toBeGreaterThan(0);
  expect(outputs.every(({ output }) => output.startsWith('simp'))).toBe(true);
  expect(dot('List.reverse_append', 'reverse of an append')).toBeGreaterThan(
    dot('List.reverse_append', 'Nat.succ'),
  );
  expect(dot('a b', 'a b')).toBeCloseTo(1);
});
