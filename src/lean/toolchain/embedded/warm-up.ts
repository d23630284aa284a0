import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../config/package.ts';

/**
 * Requests that run in a new Lean before its heap, and then its machine code, are saved. They build the lazy indexes
 * of the library tactics in the heap, and optimise the functions that proofs use. The attempts are textbook
 * facts: they only need to run every tactic, with success and failure.
 */

/**
 * Header of claims: it only matters for proofs, so no code is generated below it. Loaded as session 1; no text can
 * end its sections.
 */
const moduleHeader = '@[expose] public section\nnoncomputable section';
export const headerSession = 1;
/** The session that contains a worker's project imports: the first one after. */
export const importSession = 2;

const session = headerSession;
const addComm = 'theorem warm (a b : Nat) : a + b = b + a';
const distribute = 'theorem warm (a b c : Nat) : a * (b + c) = a * b + a * c';
const reverse = 'theorem warm (xs : List α) : xs.reverse.reverse = xs';

/** Attempts that build the lazy indexes of Lean's library, and again after importing a project. */
export const heapAttempts: readonly (readonly [string, string])[] = [
  [addComm, 'by omega'],
  [reverse, 'by exact?'],
  [distribute, 'by grind'],
  ['theorem warm (xs : List α) : xs ++ [] = xs', 'by induction xs <;> simp_all'],
  [addComm, 'by rw?'],
  ['theorem warm : 2 + 2 = 4', 'by decide'],
];

export const heapWarmUp: readonly object[] = [
  { op: 'load', session: 0, text: moduleHeader, root: true },
  ...heapAttempts.map(([statement, proof]) => ({ op: 'check', session, statement, proof })),
];

/** [statement, proof]; whether the proof holds does not matter here. */
export const codeWarmUp: readonly (readonly [string, string])[] = [
  [addComm, 'by omega'],
  [addComm, 'by rw [Nat.add_comm]'],
  [addComm, 'by grind'],
  [addComm, 'by rfl'],
  [addComm, 'by simp [Nat.add_comm]'],
  [addComm, 'by induction b with\n  | zero => simp\n  | succ n ih => omega'],
  [addComm, 'Nat.add_comm a b'],
  [addComm, 'by (omega'],
  [distribute, 'by grind'],
  [distribute, 'by omega'],
  [distribute, 'by rw [Nat.mul_add]'],
  [distribute, 'by ac_rfl'],
  [reverse, 'by simp'],
  [reverse, 'by exact?'],
  ['theorem warm (xs ys : List α) : (xs ++ ys).length = ys.length + xs.length', 'by simp; omega'],
  [
    'theorem warm (xs ys : List α) : (xs ++ ys).length = xs.length + ys.length',
    'by induction xs <;> simp_all',
  ],
  [
    'theorem warm (xs : List Nat) : xs.map id = xs',
    'by induction xs with\n  | nil => rfl\n  | cons x xs ih => simp',
  ],
  ['theorem warm (p q : Prop) : p ∧ q → q ∧ p', 'by intro h; constructor; exact h.2; exact h.1'],
  ['theorem warm (p q : Prop) : p ∧ q → q ∧ p', 'by rintro ⟨a, b⟩; exact ⟨b, a⟩'],
  [
    'theorem warm (p q : Prop) : p ∨ q → q ∨ p',
    'by intro h; cases h with\n  | inl h => right; exact h\n  | inr h => left; exact h',
  ],
  ['theorem warm (p q r : Prop) : (p → q) → (q → r) → p → r', 'by intros; simp_all'],
  ['theorem warm (p q : Prop) : ¬(p ∧ q) ↔ (p → ¬q)', 'by grind'],
  ['theorem warm (f : Nat → Nat) (h : ∀ x, f x = x) : f (f 2) = 2', 'by simp [h]'],
  ['theorem warm (f g : Nat → Nat) (h : ∀ x, f x = g x) : f = g', 'by funext x; exact h x'],
  ['theorem warm (x y : Int) (h : 2 * x + 1 = 2 * y) : False', 'by omega'],
  ['theorem warm (n : Nat) : n % 2 = 0 ∨ n % 2 = 1', 'by omega'],
  ['theorem warm (x y z : Nat) (h : x < y) (k : y < z) : x + 1 < z', 'by omega'],
  ['theorem warm (o : Option Nat) : o.isSome = true ∨ o = none', 'by cases o <;> simp'],
  ['theorem warm (a b : Bool) : (a && b) = (b && a)', 'by cases a <;> cases b <;> rfl'],
  ['theorem warm (a b c : Nat) (h : a ≤ b) : a + c ≤ b + c', 'by apply?'],
  ['theorem warm (a b c : Nat) (h : a ≤ b) : a + c ≤ b + c', 'by gcongr'],
  ['theorem warm (x : BitVec 8) : x &&& x = x', 'by simp'],
  ['theorem warm : ∃ x : Nat, x * x = 49', '⟨7, rfl⟩'],
  ['theorem warm : 2 + 2 = 5', 'by decide'],
];

/** Cheap and expensive steps from one state. */
export const stepWarmUp = {
  statement: 'theorem warm (a b c : Nat) (h : a ≤ b) : a + c ≤ b + c ∧ c + a ≤ c + b',
  tactics: [
    'constructor',
    'refine ⟨?_, ?_⟩',
    'intros',
    'exact h',
    'omega',
    'simp',
    'simp_all',
    'grind',
    'rfl',
    'cases h',
    'exact ⟨by omega, by omega⟩',
  ],
} as const;

/** A module like those of packages, and attempts that run its tactics. */
export function projectWarmUp(): {
  readonly name: string;
  readonly text: string;
  readonly attempts: readonly (readonly [string, string])[];
} {
  const name = 'WarmUp';
  return {
    name,
    text: readFileSync(path.join(packageRoot, 'lean', `${name}.lean`), 'utf8'),
    attempts: [
      ['theorem warm (p q : Prop) (h : p) (k : q) : p ∧ q', 'by warm_both warm_tac (depth := 3) (with p, q)'],
      [addComm, 'by warm_tac (depth := 3)'],
      ['theorem warm (t : WarmUp.Tree Nat) : t.mirror.mirror.size = t.size', 'by simp'],
    ],
  };
}
