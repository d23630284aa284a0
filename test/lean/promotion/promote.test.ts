import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { environmentOf } from '../../../src/lean/project/environment.ts';
import { containsHelper, usedByName } from '../../../src/lean/promotion/by-name.ts';
import { classParents, generalised, withBinders } from '../../../src/lean/promotion/generalise.ts';
import { Ground } from '../../../src/lean/promotion/ground.ts';
import { knownTheorem } from '../../../src/lean/promotion/known.ts';
import { freeName } from '../../../src/lean/promotion/name.ts';
import { judgeAddition } from '../../../src/lean/promotion/promote.ts';
import { statedInside } from '../../../src/lean/promotion/stated.ts';
import { readSignature, signatureText } from '../../../src/lean/base/signature.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation({ slots: 2 });
const at = (preamble: string): Ground => new Ground(lean.pool, preamble, environmentOf(preamble));

const classes = `class Mark (α : Type) where
  mark : α → α
class Marked (α : Type) extends Mark α where
  same : ∀ x : α, mark x = x
def rev {α : Type _} : List α → List α
  | [] => []
  | x :: xs => rev xs ++ [x]
`;

async function general(statement: string, proof: string): Promise<string> {
  const signature = readSignature(statement) ?? expect.fail(statement);
  return signatureText(await generalised(at(classes), signature, proof, classParents([classes])));
}

test('a statement becomes as general as its proof allows, and no more', async () => {
  const induction = 'by\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => simp [rev, ih]';
  expect(
    await general(
      'theorem t (xs : List Nat) (x k : Nat) (h : k = 0) : rev (xs ++ [x]) = x :: rev xs',
      induction,
    ),
  ).toBe('theorem t {α : Type _} (xs : List α) (x : α) : rev (xs ++ [x]) = x :: rev xs');
  expect(await general('theorem t (α : Type) [Marked α] (x : α) : Mark.mark x = Mark.mark x', 'rfl')).toBe(
    'theorem t (α : Type _) [Mark α] (x : α) : Mark.mark x = Mark.mark x',
  );
  const needed = 'theorem t (n : Nat) (h : 0 < n) : n ≠ 0';
  expect(await general(needed, 'by omega')).toBe(needed);
});

async function plain(type: string, proof: string): Promise<string> {
  const signature = readSignature(`theorem t : ${type}`) ?? expect.fail(type);
  const { signature: read, proof: shorter } = await withBinders(at(''), { signature, proof });
  return `${signatureText(read)} := ${shorter}`;
}

test('variables of a ∀ become arguments, if the proof begins by naming them', async () => {
  expect(await plain('∀ (a b : Nat) {c : Nat}, a < b → a + c < b + c', 'by\n  intro a b c h\n  omega')).toBe(
    'theorem t (a b : Nat) {c : Nat} : a < b → a + c < b + c := by\n  intro h\n  omega',
  );
  for (const kept of ['by\n  intro x\n  rfl', 'fun n => rfl'])
    expect(await plain('∀ (n : Nat), n = n', kept)).toBe(`theorem t : ∀ (n : Nat), n = n := ${kept}`);
});

test('general facts inside a proof are lemmas; those about its own values are not', () => {
  const proof =
    'by\n  intro xs\n  have small : 0 < 2 := by decide\n  have f_all : ∀ n, f n = 0 := by\n    intro n\n    rfl\n  simp [f_all]';
  expect(statedInside(proof)).toEqual([
    { statement: 'theorem f_all : ∀ n, f n = 0', proof: 'by\n  intro n\n  rfl' },
  ]);
  expect(statedInside('by\n  have g (n : Nat) : f n = 0 := rfl\n  simp [g]')).toHaveLength(1);
});

test('a library theorem is recognised also reversed and with reordered hypotheses', async () => {
  const ground = at('');
  const known = async (rest: string): Promise<string | undefined> =>
    (await knownTheorem(ground, `theorem t ${rest}`))?.name;
  expect(await known('(xs ys : List Nat) : ys.length + xs.length = (ys ++ xs).length')).toContain(
    'length_append',
  );
  expect(await known('(a b c : Nat) (h : b ≤ c) (g : a ≤ b) : a ≤ c')).toMatch(/le_trans/);
  // after unfolding, it is `Nat.add_succ n 0`
  const own = at('def next (n : Nat) : Nat := n + 1');
  expect(await knownTheorem(own, 'theorem t (n : Nat) : next n = n + 1')).toBeUndefined();
});

test('a new name never clashes with one in use or possible in the project', async () => {
  const ground = at('namespace A\ndef flip (n : Nat) : Nat := n');
  const statement = 'theorem t (n : Nat) : flip (flip n) = n';
  const name = async (suggested: string, ...texts: string[]): Promise<string | undefined> =>
    await freeName(ground, { suggested, statement }, texts);
  expect(await name('flip_twice')).toBe('flip_twice');
  expect(await name('flip_twice', 'theorem later (flip_twice : Nat) : True')).toBe('flip_flip');
  for (const bad of [
    'Nat.add_comm',
    'flip',
    'id',
    'n',
    '_root_.x_y',
    'x : True := trivial\naxiom no : False --',
    '«odd name»',
    'helper_12ab',
  ])
    expect(await name(bad)).toBe('flip_flip');
  expect(await name('helper', 'flip_flip')).toBe("flip_flip'");
});

test('a file may gain one theorem, and nothing else may change', async () => {
  const before = 'def one : Nat := 1\n\ntheorem last : one = 1 := rfl\n\nexample : one = 1 := rfl\n';
  const file = path.join(temporaryFolder(), 'One.lean');
  writeFileSync(file, before);
  const gate = new Gate(lean.pool, lean.pool);
  const added = async (text: string): Promise<string> => {
    const after = before.replace('theorem last', () => `${text}\n\ntheorem last`);
    const judged = await judgeAddition(gate, file, { before, after }, 'fresh');
    return judged.ok ? 'accepted' : judged.error.message;
  };
  expect(await added('/-- Why. -/\ntheorem fresh : one + 0 = 1 := rfl')).toBe('accepted');
  for (const text of [
    'theorem fresh : one = 2 := by sorry',
    'axiom no : False\n\ntheorem fresh : one = 2 := no.elim',
    'theorem fresh : one = 1 := rfl\n\ntheorem another : one = 1 := rfl',
    'theorem fresh : one = 1 := rfl\n\nexample : one = 2 := by sorry',
    'open Nat\n\ntheorem fresh : one = 1 := rfl',
    'def fresh : Nat := 1',
    'theorem fresh : one = 1 := rfl\n\nmacro_rules | `(1) => `(2)',
    'instance : OfNat Nat 1 := ⟨2⟩\n\ntheorem fresh : one = 1 := rfl',
  ])
    expect(await added(text)).not.toBe('accepted');
});

test('a helper in a proof is replaced by the theorem, used by name or as a fact', () => {
  const helper = 'theorem f_aux (n : Nat) :\n  f n = 0';
  const proof =
    "by\n  intro m\n  have f_aux' (n : Nat) : f n = 0 := by\n    unfold f\n    rfl\n  rw [f_aux', M.f_aux']";
  expect(containsHelper(proof, helper)).toBe(true);
  // another proof may call it something else, but must state the same
  expect(containsHelper(proof, helper.replace('f_aux', 'law'))).toBe(true);
  expect(containsHelper(proof, helper.replace('= 0', '= 1'))).toBe(false);
  const forms = usedByName(proof, helper, ['f_zero', 'A.f_zero']);
  expect(forms.slice(0, 6)).toEqual([
    "by\n  intro m\n  rw [f_zero, M.f_aux']",
    "by\n  intro m\n  rw [A.f_zero, M.f_aux']",
    "by\n  intro m\n  have f_aux' := @f_zero\n  rw [f_aux', M.f_aux']",
    "by\n  intro m\n  have f_aux' := @A.f_zero\n  rw [f_aux', M.f_aux']",
    "by\n  intro m\n  have f_aux' (n : Nat) : f n = 0 := f_zero ..\n  rw [f_aux', M.f_aux']",
    "by\n  intro m\n  have f_aux' (n : Nat) : f n = 0 := (f_zero ..).symm\n  rw [f_aux', M.f_aux']",
  ]);
  expect(forms.at(-1)).toContain("  have f_aux' (n : Nat) : f n = 0 := by first | exact A.f_zero");
  // facts that a closer finds by itself need no name
  const implicit = proof.replace("rw [f_aux', M.f_aux']", 'simp_all');
  expect(usedByName(implicit, helper, ['f_zero']).slice(0, 2)).toEqual([
    'by\n  intro m\n  simp_all [f_zero]',
    'by\n  intro m\n  have := @f_zero\n  simp_all',
  ]);
  const listed = implicit.replace('simp_all', '(cases m <;> grind [f, g])');
  expect(usedByName(listed, helper, ['f_zero'])[0]).toBe(
    'by\n  intro m\n  (cases m <;> grind [f, g, f_zero])',
  );
  expect(containsHelper(proof, 'theorem f_aux (n : Nat) : f n = 1')).toBe(false);
  expect(usedByName('by simp', helper, ['A.f_zero'])).toEqual([]);
});
