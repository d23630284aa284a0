import { expect, test } from 'vitest';
import { queryFor } from '../../../src/lean/premises/query.ts';

test('the query includes the definitions behind the preamble’s definitions, but no proofs', () => {
  const preamble = `def twice (n : Nat) : Nat := n * 2
def common : List Nat → Nat
  | [] => 0
  | x :: xs => Nat.gcd (twice x) (common xs)
def other (n : Nat) : Nat := n % 7
theorem known (n : Nat) : common [n] = n - 0 := sorry
`;
  const statement = 'theorem t (xs : List Nat) : common xs ∣ 4';
  const { symbols, text } = queryFor({ preamble, statement, symbols: ['Dvd.dvd', 'common'] });
  expect(symbols).toEqual(['Dvd.dvd', 'common', 'Nat.gcd', 'List.cons', 'HMul.hMul']);
  expect(text).toBe(statement);
});
