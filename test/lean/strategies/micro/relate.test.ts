import { describe, expect, test } from 'vitest';
import { candidateOf, expectAccepted, goalOf, onBench, strategy } from './bench.ts';

/** Lamps that a rule switches, once with notation and once without: how a predicate is printed must not matter. */
const lamps = `inductive Lamp | off | on | broken (since : Nat)
inductive Press : Lamp → Lamp → Prop
  | start : Press .off .on
  | stop : Press .on .off
  | fail : Press .on (.broken 0)
inductive Presses : Lamp → Lamp → Prop
  | none : Presses a a
  | more : Press a b → Presses b c → Presses a c
inductive Word : List Bool → Nat → Prop
  | nil : Word [] 0
  | one : Word [b] 1
  | join : Word u m → Word v n → Word (u ++ v) (m + n)
def spare : Nat → Nat
  | 0 => 0
  | n + 1 => spare n + (n + 1)
infix:50 " ⇝ " => Press
infix:50 " ⇝* " => Presses`;

const theorems = [
  'theorem t : Lamp.off ⇝* .broken 0',
  'theorem t : ¬ (Lamp.broken n ⇝ l)',
  'theorem t : (Lamp.off ⇝ l) → l = .on',
  'theorem t : Press a b → Press b c → a ≠ .broken n',
  'theorem t : (a ⇝* b) → (b ⇝* c) → a ⇝* c',
  'theorem t : (Lamp.broken n ⇝* l) → l = .broken n',
  'theorem t : Presses .on l → l = .on ∨ l = .off ∨ ∃ n, l = .broken n',
  'theorem t : ∃ l, (Lamp.on ⇝ l) ∧ ¬ (l ⇝ .off)',
  'theorem t : Word [true, false, true] 3',
  'theorem t : Word u m → u.length = m',
  'theorem t (h : m ≤ n) : spare m ≤ spare n',
];

async function isOffered(statement: string): Promise<boolean> {
  return await onBench(goalOf(statement, lamps), (bench) =>
    Promise.resolve(strategy.arms(bench).some(({ name }) => name === 'micro/relate')),
  );
}

describe('theorems about inductive predicates', () => {
  test.each(theorems)('%s', async (statement) => {
    const goal = goalOf(statement, lamps);
    await expectAccepted(goal, await candidateOf(goal, 'micro/relate'));
  });

  test('the arm is offered where predicates are involved, whatever prints', async () => {
    expect(await isOffered('theorem t : Lamp.off ⇝* l')).toBe(true);
    expect(await isOffered('theorem t (n : Nat) : n + 0 = n')).toBe(false);
  });
});

test('a goal as data names kinds, indices and the constructors that are possible', async () => {
  await onBench(goalOf('theorem t (l : Lamp) (h : Lamp.on ⇝ l) (k : l ≠ .off) : False', lamps), (bench) => {
    expect(bench.descriptions).toMatchObject([
      {
        target: { kind: 'connective', head: 'False' },
        hypotheses: [
          { name: 'l', kind: 'data', head: 'Lamp' },
          {
            name: 'h',
            kind: 'predicate',
            predicate: 'Press',
            indices: ['constructor', 'variable'],
            possible: 2,
          },
          { name: 'k', kind: 'equation' },
        ],
        predicates: ['Press'],
        shares: [],
      },
    ]);
    return Promise.resolve();
  });
});
