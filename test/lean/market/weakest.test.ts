import { expect, test } from 'vitest';
import { weakenings } from '../../../src/lean/market/weakest.ts';
import type { Goal } from '../../../src/lean/base/protocol.ts';

const goalOf = (target: string, hypotheses: Record<string, string>): Goal => ({
  hypotheses: Object.entries(hypotheses).map(([name, type]) => ({ name, type })),
  target,
});

const texts = (goal: Goal): string[] =>
  weakenings(goal).map(
    ({ hypotheses, target }) => `${hypotheses.map(({ name }) => name).join(' ')} ⊢ ${target}`,
  );

test('an equation is used in reverse, and a term on both sides becomes a variable', () => {
  const step = goalOf('rev (app (rev xs) [x]) = x :: xs', {
    x: 'Nat',
    xs: 'List Nat',
    ih: 'rev (rev xs) = xs',
  });
  const all = texts(step);
  expect(all[0]).toBe('x ys ⊢ rev (app ys [x]) = x :: (rev ys)');
  expect(all.at(-1)).toBe('x xs ih ⊢ rev (app (rev xs) [x]) = x :: xs');
  const length = goalOf('len (app (rev xs) [x]) = len xs + 1', {
    x: 'Nat',
    xs: 'List Nat',
    ih: 'len (rev xs) = len xs',
  });
  expect(texts(length)[0]).toBe('x ys ⊢ len (app ys [x]) = (len ys) + 1');
});

test('generalising all equations and terms at once is tried first', () => {
  const step = goalOf('len (app (flat l) (x :: flat r)) = size l + size r + 1', {
    l: 'Tree',
    x: 'Nat',
    r: 'Tree',
    left: 'len (flat l) = size l',
    right: 'len (flat r) = size r',
  });
  expect(texts(step)[0]).toBe('x ys zs ⊢ len (app ys (x :: zs)) = (len ys) + (len zs) + 1');
});

test('a disjunction stays on the right', () => {
  const step = goalOf('count a (app (rev xs) [x]) = if x = a then count a xs + 1 else count a xs', {
    a: 'Nat',
    x: 'Nat',
    xs: 'List Nat',
    ih: 'count a (rev xs) = count a xs',
  });
  expect(texts(step)[0]).toBe(
    'a x ys ⊢ count a (app ys [x]) = if x = a then (count a ys) + 1 else (count a ys)',
  );
});

test('unused hypotheses are dropped, those that others need stay', () => {
  const goal = goalOf('f a = f b', { α: 'Type', inst: 'Add α', a: 'α', b: 'α', n: 'Nat', h: 'n < 3' });
  expect(texts(goal)).toEqual(['α inst a b ⊢ f a = f b', 'α inst a b n h ⊢ f a = f b']);
});

test('at most a handful of candidates is returned', () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`h${at}`, `f (g x) = k${at} x`]));
  const goal = goalOf('p (f (g x)) = p (k1 x + k2 x + k3 x + k4 x)', { x: 'Nat', ...many });
  expect(weakenings(goal).length).toBeLessThanOrEqual(8);
});
