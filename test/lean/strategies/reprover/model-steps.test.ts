import { expect, test } from 'vitest';
import { augmented } from '../../../../src/lean/strategies/reprover/model-steps.ts';

const state = 'a b : Nat\n⊢ a + b = b + a';

test('a tactic-only model gets marked premises before the state, the best one last', () => {
  const premises = [
    { name: 'Nat.add_comm', statement: '(n m : Nat) : n + m = m + n' },
    { name: 'Nat.add_assoc', statement: '(n m k : Nat) : n + m + k = n + (m + k)' },
  ];
  expect(augmented(state, premises)).toBe(
    `theorem <a>Nat.add_assoc</a> (n m k : Nat) : n + m + k = n + (m + k)

theorem <a>Nat.add_comm</a> (n m : Nat) : n + m = m + n

${state}`,
  );
});

test('premises that do not fit are omitted, but never the state', () => {
  const long = { name: 'Long.one', statement: `: ${'x'.repeat(3000)}` };
  const short = { name: 'Short.one', statement: ': p' };
  expect(augmented(state, [long, short])).toBe(`theorem <a>Short.one</a> : p\n\n${state}`);
  const whole = 'x'.repeat(5000);
  expect(augmented(whole, [short])).toBe(whole);
});
