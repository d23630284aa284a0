import { describe, expect, test } from 'vitest';
import { beginBench, candidateOf, expectAccepted, goalOf, onBench } from './bench.ts';
import { slice } from '../../../helpers/tier.ts';

beginBench();

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
mutual
inductive Tick : Nat → Prop
  | rest : Tick 0
  | tock : Tock n → Tick (n + 1)
inductive Tock : Nat → Prop
  | tick : Tick n → Tock (n + 1)
end
inductive Price : Nat → Nat → Prop
  | free : Price n 0 → Price n 1
  | paid : Price n (k + 1) → Price n (k + 2)
inductive Flips : List Nat → (Nat → Bool) → (Nat → Bool) → Prop
  | none : Flips [] s s
  | flip : Flips xs (fun k => if k = x then !s k else s k) t → Flips (x :: xs) s t
inductive Lit (plan : Nat → Option Lamp) : Nat → Lamp → Prop
  | here : plan n = some l → Lit plan n l
  | later : plan n = none → Lit plan (n + 1) l → Lit plan n l
inductive Guarded (s : Nat → Nat) : Nat → (Nat → Nat) → Prop
  | low : s n = 0 → Guarded s n s
  | high : s n ≠ 0 → Guarded s (n + 1) t → Guarded s n t
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
  'theorem t : Tick n → n % 2 = 0',
  'theorem t (f : Nat → Nat) (h : Price n (f n)) : ∃ k, Price n (k + 1)',
  'theorem t (xs : List Nat) : Flips xs s a → Flips xs s b → a = b',
  'theorem t (plan : Nat → Option Lamp) : Lit plan m a → Lit plan m b → a = b',
  'theorem t : Guarded s m a → Guarded s m b → a = b',
];

describe('theorems about inductive predicates', () => {
  test.each(slice(theorems, 3))('%s', async (statement) => {
    const goal = goalOf(statement, lamps);
    await expectAccepted(goal, await candidateOf(goal, 'micro/relate'));
  });
});

/** Goals that need a lemma, a value or an idea that does not occur in the goal. */
const everyday = `inductive Coins | none | coin (rest : Coins)
def Coins.join : Coins → Coins → Coins
  | a, .none => a
  | a, .coin b => .coin (join a b)
def covers (f : α → β) : Prop := ∀ y, ∃ x, f x = y
def Bag (α : Type) := α → Prop
def Subset (p q : α → Prop) : Prop := ∀ x, p x → q x
def Factor (a b : Int) : Prop := ∃ k, b = k * a
def pour : List Nat → List Nat → List Nat
  | [], done => done
  | x :: xs, done => pour xs (x :: done)
def steps : Nat → Nat → Nat → Nat
  | 0, a, _ => a
  | n + 1, a, b => steps n b (a + b + 1)
def calls : Nat → Nat
  | 0 => 0
  | 1 => 2
  | n + 2 => calls n + calls (n + 1) + 1
def halves (k n : Nat) : Nat := if n = 0 then k else halves (k + k) (n / 2)
termination_by n
decreasing_by omega
inductive Bush (α : Type) | fork (a : α) (below : List (Bush α))
mutual
def Bush.weight : Bush α → Nat
  | .fork _ below => weights below + 1
def weights : List (Bush α) → Nat
  | [] => 0
  | b :: bs => b.weight + weights bs
end
mutual
def Bush.turn : Bush α → Bush α
  | .fork a below => .fork a (turns below)
def turns : List (Bush α) → List (Bush α)
  | [] => []
  | b :: bs => b.turn :: turns bs
end
mutual
def white : Nat → Nat
  | 0 => 1
  | n + 1 => black n
def black : Nat → Nat
  | 0 => 0
  | n + 1 => white n
end
inductive Game | over | play (k : Nat) (next : Game)
inductive Move : Game → Game → Prop
  | win : k = 7 → Move (.play k g) .over
  | go : k ≠ 7 → Move (.play k g) g
def tally (n : Nat) (votes : List Bool) : Nat := votes.foldl (fun n vote => if vote then n + 1 else n - 1) n`;

describe('goals that need an idea', () => {
  const goals: readonly (readonly [idea: string, statement: string])[] = [
    ['a law of an operation', 'theorem t (a b : Coins) : a.join b = b.join a'],
    ['a lemma with an accumulator', 'theorem t (xs : List Nat) : pour xs [] = xs.reverse'],
    [
      'a hypothesis at a value',
      'theorem t (f : α → β) (g : β → γ) (hf : covers f) (hg : covers g) : covers (g ∘ f)',
    ],
    ['a function out of witnesses', 'theorem t (f : α → β) (h : covers f) : ∃ g : β → α, ∀ y, f (g y) = y'],
    ['a diagonal of a set by another name', 'theorem t (f : α → Bag α) : ¬ covers f'],
    ['a diagonal', 'theorem t (r : α → α → Prop) : ¬ ∀ p : α → Prop, ∃ a, r a = p'],
    ['a witness with arithmetic', 'theorem t (n : Nat) : ∃ m, n < m ∧ m % 5 = 4'],
    ['a witness that a division gives', 'theorem t (h : Factor a b) (k : Factor a c) : Factor a (b - 2 * c)'],
    [
      'a name that the library has too',
      'theorem t (p q : α → Prop) (h : Subset p q) (k : Subset q p) : p = q',
    ],
    ['a law of a loop', 'theorem t (n : Nat) : steps n 0 2 = calls n'],
    ['an induction over a constant', 'theorem t (n : Nat) : halves 0 n = 0'],
    ['a claim about the parts', 'theorem t (b : Bush α) : b.turn.weight = b.weight'],
    ['a claim about another function', 'theorem t (n : Nat) : white n = 1 - n % 2'],
    ['what the rules ask', 'theorem t (g : Game) : g = .over ∨ ∃ h, Move g h'],
    [
      'a function behind a definition',
      'theorem t (n : Nat) (votes : List Bool) : tally n votes ≤ n + votes.length',
    ],
    ['residues', 'theorem t (n : Nat) : (n * n + n) % 2 = 0'],
    ['residues on two sides', 'theorem t (n : Nat) : n * n % 3 = 0 ∨ n * n % 3 = 1'],
    ['squares', 'theorem t (a b : Int) : 2 * (a * b) ≤ a * a + b * b'],
  ];
  test.each(slice(goals, 2))('%s', async (_, statement) => {
    const goal = goalOf(statement, everyday);
    await expectAccepted(goal, await candidateOf(goal, 'micro/relate'));
  });
});

test('a goal’s data has kinds, indices and the possible constructors', async () => {
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
