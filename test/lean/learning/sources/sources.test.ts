import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Premise } from '../../../../src/store/premises/premise.ts';
import { exportPremises, modulesIn } from '../../../../src/lean/learning/sources/export.ts';
import { readDeclarations } from '../../../../src/lean/learning/sources/declarations.ts';
import { premisesNamedBy } from '../../../../src/lean/learning/sources/labels.ts';
import { siblingsIn } from '../../../../src/lean/learning/sources/siblings.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';

const text = `module
public import Mathlib.Data.Nat.Basic
import Batteries.Logic

/-! theorem not_one : False := by trivial -/
namespace Tower
open Nat in
@[to_additive (attr := simp) floor_add "doc"]
theorem floor_mul {a b : ℕ} (h : a ∣ b) : a ∣ b * 2 :=
  dvd_mul_of_dvd_left h 2

section Inner
variable (n : ℕ)

@[simp]
private lemma secret : n = n := rfl

/-- \`floor_mul\` in a comment is no use of it. -/
protected theorem roof (x : ℕ) (h : 2 ∣ x) : 2 ∣ x * 2 := by
  have step := floor_mul h
  exact step.trans (Nat.dvd_refl _) -- secret
end Inner

def height : ℕ → ℕ
  | 0 => 1
  | n + 1 => height n

end Tower
theorem outside : Tower.height 0 = 1 := by simp [Tower.height]
`;

test('declarations are read with their namespaces, statements and proofs', () => {
  const { imports, declarations } = readDeclarations(text);
  expect(imports).toEqual(['Mathlib.Data.Nat.Basic', 'Batteries.Logic']);
  expect(declarations.map(({ name, isTheorem, isPrivate }) => [name, isTheorem, isPrivate])).toEqual([
    ['Tower.floor_mul', true, false],
    ['Tower.secret', true, true],
    ['Tower.roof', true, false],
    ['Tower.height', false, false],
    ['outside', true, false],
  ]);
  const [first, , roof, height] = declarations;
  expect(first).toMatchObject({
    aliases: ['Tower.floor_add'],
    statement: '{a b : ℕ} (h : a ∣ b) : a ∣ b * 2',
    scopes: ['Tower', '', 'Tower.Nat', 'Nat'],
    context: ['namespace Tower', 'open Nat'],
  });
  expect(roof?.proof).toContain('floor_mul h');
  expect(roof?.context).toEqual(['namespace Tower', 'section Inner', 'variable (n : ℕ)']);
  expect(height?.context).toEqual(['namespace Tower']);
  expect(height?.statement).toBe(': ℕ → ℕ');
});

test('names in proofs resolve in namespaces and opened ones; hypotheses and comments are not premises', () => {
  const { declarations } = readDeclarations(text);
  const known = new Set([
    'Nat.dvd_mul_of_dvd_left',
    'Nat.dvd_refl',
    'Tower.floor_mul',
    'Tower.secret',
    'Nat.step',
  ]);
  const used = (name: string): readonly string[] =>
    declarations.filter((one) => one.name === name).flatMap((one) => premisesNamedBy(one, known).used);
  expect(used('Tower.floor_mul')).toEqual(['Nat.dvd_mul_of_dvd_left']);
  expect(used('Tower.roof')).toEqual(['Tower.floor_mul', 'Nat.dvd_refl']);
});

test('an export is reproducible, and held-out statements are not in the training part', () => {
  const folder = temporaryFolder();
  const checkout = path.join(folder, 'checkout');
  mkdirSync(path.join(checkout, 'Tower'), { recursive: true });
  mkdirSync(path.join(checkout, 'scripts'));
  writeFileSync(path.join(checkout, 'scripts', 'Ignored.lean'), text);
  for (let index = 0; index < 40; index++)
    writeFileSync(path.join(checkout, 'Tower', `Part${index}.lean`), text);
  const modules = modulesIn(checkout);
  expect(modules).toHaveLength(40);
  const premises = [{ name: 'Nat.dvd_refl', kind: 'theorem', module: 'Init', symbols: ['Nat', 'Dvd.dvd'] }];
  const library = { premises, imports: {} };
  const counts = exportPremises(modules, library, path.join(folder, 'one'));
  exportPremises(modules.toReversed(), library, path.join(folder, 'two'));
  for (const name of ['premises.jsonl', 'theorems.jsonl', 'siblings.jsonl', 'imports.jsonl', 'card.md'])
    expect(readFileSync(path.join(folder, 'two', name))).toEqual(
      readFileSync(path.join(folder, 'one', name)),
    );
  const rows = readFileSync(path.join(folder, 'one', 'theorems.jsonl'), 'utf8')
    .trim()
    .split('\n');
  // all modules state the same, so nothing is left to train on
  expect(rows.every((row) => (JSON.parse(row) as { held_out: boolean }).held_out)).toBe(true);
  expect(counts).toMatchObject({ modules: 40, theorems: 160 });
});

function about(name: string, module: string, ...symbols: string[]): Premise {
  return { name, kind: 'theorem', module, symbols: ['Eq', ...symbols] };
}

test('library theorems learn from namesakes in lower modules, not in higher ones or on other subjects', () => {
  const library = [
    about('List.size_insert', 'Low', 'List.insert', 'List.size', 'Nat'),
    about('Tree.size_insert', 'Middle', 'Tree.insert', 'Tree.size', 'Nat'),
    about('Map.size_insert', 'High', 'Map.insert', 'Map.size', 'Nat'),
    about('Door.size_insert', 'Low', 'Door.open', 'Key', 'Lock', 'Room'),
  ];
  const rows = siblingsIn(library, { Low: [], Middle: ['Low'], High: ['Middle'] });
  expect(rows.map(({ name, used }) => [name, used])).toEqual([
    ['Map.size_insert', ['List.size_insert', 'Tree.size_insert']],
    ['Tree.size_insert', ['List.size_insert']],
  ]);
});
