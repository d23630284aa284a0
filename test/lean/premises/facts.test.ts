import { expect, test } from 'vitest';
import { wholeStatement } from '../../../src/lean/goals/goal.ts';
import { factsOf } from '../../../src/lean/premises/facts.ts';
import type { Constant } from '../../../src/lean/base/protocol.ts';

const goal = {
  id: 'g',
  preamble: 'import Sums.Defs\nnamespace Sums\ndef twice (n : Nat) := n + n\n',
  statement: 'theorem g : twice (shift 0) = shift 1',
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
};
const constant = (name: string, module: string, kind: Constant['kind'] = 'definition'): Constant => ({
  name,
  kind,
  module,
  symbols: [],
  shape: '',
});

test('definitions are unfolded for the text first, then for imported modules, up to a limit', () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    constant(`Sums.other${index}`, 'Sums.Defs', 'theorem'),
  );
  const own = [
    constant('Sums.shift', 'Sums.Defs'),
    constant('Sums.unseen', 'Sums.Defs'),
    { ...constant('Sums.twice', ''), role: 'function' as const },
    constant('Sums.made_up', ''),
    ...many,
  ];
  const facts = factsOf({ goal, own, symbols: ['Sums.shift', 'Sums.twice'] });
  expect(facts.definitions).toEqual(['Sums.twice', 'Sums.shift']);
  expect(facts.allDefinitions).toEqual(['Sums.twice', 'Sums.shift', 'Sums.unseen']);
  expect(facts.allLemmas).toHaveLength(100);
});

test('lemmas about the same operations come first, whichever class they are for', () => {
  const lemma = (name: string, ...symbols: string[]): Constant => ({
    ...constant(name, 'Algebra', 'theorem'),
    symbols: ['Eq', ...symbols],
  });
  const times = ['HMul.hMul', 'instHMul'];
  const own = [
    constant('Monoid.toSemigroup', 'Algebra'),
    constant('Commute', 'Algebra'),
    lemma('inv_inv', 'Group', 'Inv.inv'),
    lemma('mul_assoc', 'Semigroup', 'Semigroup.toMul', ...times),
    lemma('mul_inv', 'Group', 'Group.toMonoid', 'Monoid.toSemigroup', 'Inv.inv', ...times),
    lemma('add_comm', 'AddMonoid', 'AddMonoid.toAdd', 'HAdd.hAdd'),
  ];
  const symbols = ['Eq', 'Commute', 'Group', 'Group.toMonoid', 'Monoid.toSemigroup', ...times];
  const { definitions, lemmas } = factsOf({ goal, own, symbols });
  expect(definitions).toEqual(['Commute']);
  expect(lemmas).toEqual(['mul_assoc', 'mul_inv', 'inv_inv', 'add_comm']);
});

test('an anonymous instance is unfolded to its functions; a lemma that depends on sorry is not offered', () => {
  const own: Constant[] = [
    { ...constant('Coin.add', ''), role: 'function', uses: ['Coin'] },
    { ...constant('Coin.spare', ''), role: 'function', uses: [] },
    { ...constant('Coin.instAdd', ''), role: 'instance', uses: ['Coin.add'] },
    { ...constant('Coin.add_comm', '', 'theorem'), symbols: ['Coin.instAdd'] },
    { ...constant('Coin.add_assoc', '', 'theorem'), symbols: ['Coin.instAdd'], unfinished: true },
  ];
  const facts = factsOf({ goal, own, symbols: ['Eq', 'HAdd.hAdd', 'Coin.instAdd'] });
  expect(facts.definitions).toEqual(['Coin.add']);
  expect(facts.operators).toEqual(['HAdd.hAdd', 'Add.add']);
  expect(facts.allLemmas).toEqual(['Coin.add_comm']);
});

test('declarations that implement tactics are no facts, unless the goal is about them', () => {
  const own = [
    constant('Sums.shift', 'Sums.Defs'),
    constant('Aesop.Goal.state', 'Aesop.Tree.Data'),
    constant('Mathlib.Meta.NormNum.isNat_add', 'Mathlib.Tactic.NormNum.Basic', 'theorem'),
    constant('sub_nonneg_of_le_of_parts', 'Mathlib.Tactic.Linarith.Lemmas', 'theorem'),
    {
      ...constant('Sums.elaborated', 'Sums.Defs', 'theorem'),
      symbols: ['Lean.Meta.Simp.Result', 'Sums.shift'],
    },
    { ...constant('Sums.shift_zero', 'Sums.Defs', 'theorem'), symbols: ['Sums.shift'] },
  ];
  const { allDefinitions, allLemmas } = factsOf({ goal, own, symbols: ['Sums.shift'] });
  expect([allDefinitions, allLemmas]).toEqual([['Sums.shift'], ['Sums.shift_zero']]);
  const about = factsOf({ goal, own, symbols: ['Aesop.Goal.state'] });
  expect(about.definitions).toContain('Aesop.Goal.state');
});
