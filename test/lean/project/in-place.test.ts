import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../../src/lean/goals/goal.ts';
import { withProofs } from '../../../src/lean/writing/in-place.ts';
import { patchOf } from '../../../src/lean/writing/patch.ts';

/** The position of the n-th `sorry` of a text. */
function placeOf(text: string, form: Place['form'], n = 0): Place {
  const places = [...text.replaceAll('\r\n', '\n').matchAll(/sorry/g)];
  const before = text.replaceAll('\r\n', '\n').slice(0, places[n]?.index);
  const line = before.split('\n').length;
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length;
  return { file: 'A.lean', start: [line, column], end: [line, column + 5], form };
}

const put = (text: string, form: Place['form'], proof: string): string =>
  withProofs(text, [{ place: placeOf(text, form), proof }]);

describe('writing a proof into its file', () => {
  const table: [what: string, form: Place['form'], text: string, proof: string, expected: string][] = [
    ['a term', 'term', 'theorem t : p := sorry', 'by simp', 'theorem t : p := by simp'],
    [
      'tactics for a term',
      'term',
      'theorem t : p := sorry',
      'by\n  intro x\n  simp',
      'theorem t : p := by\n  intro x\n  simp',
    ],
    ['part of a term', 'term', 'def x := ⟨1, sorry⟩', 'by omega', 'def x := ⟨1, (by omega)⟩'],
    ['a name', 'term', 'def x := ⟨1, sorry⟩', 'Nat.le_refl', 'def x := ⟨1, Nat.le_refl⟩'],
    ['a tactic', 'tactic', 'theorem t : p := by sorry', 'by simp', 'theorem t : p := by simp'],
    [
      'a term for a tactic',
      'tactic',
      'theorem t : p := by sorry',
      'Nat.add_comm a b',
      'theorem t : p := by exact Nat.add_comm a b',
    ],
    [
      'tactics after by',
      'tactic',
      'theorem t : p := by sorry\n',
      'by\n  intro x\n  simp',
      'theorem t : p := by\n  intro x\n  simp\n',
    ],
    [
      'tactics on a line',
      'tactic',
      'theorem t : p := by\n    sorry',
      'by\n  a\n  · b\n    c',
      'theorem t : p := by\n    a\n    · b\n      c',
    ],
    ['tactics after a bullet', 'tactic', '  · sorry', 'by\n  a\n  b', '  · a\n    b'],
    ['tactics of a case', 'tactic', '  | zero => sorry', 'by\n  a\n  b', '  | zero => a\n            b'],
    [
      'tactics of a have after a bullet',
      'tactic',
      '  · have : p := by sorry',
      'by\n  a\n  b',
      `  · have : p := by a\n${' '.repeat(19)}b`,
    ],
    [
      'several after a combinator',
      'tactic',
      '  cases x <;> sorry',
      'by simp; omega',
      '  cases x <;> (simp; omega)',
    ],
    [
      'lines after a combinator',
      'tactic',
      '  cases x <;> sorry',
      'by\n  a\n  b',
      '  cases x <;> (a\n               b)',
    ],
    [
      'cases of a script',
      'tactic',
      '  sorry',
      'by induction n with\n  | zero => rfl\n  | succ n ih => simp',
      '  induction n with\n  | zero => rfl\n  | succ n ih => simp',
    ],
  ];
  it.each(table)('%s', (_, form, text, proof, expected) => {
    expect(put(text, form, proof)).toBe(expected);
  });

  it('keeps the byte order mark, line ends and everything else', () => {
    const text = '\uFEFF-- ∀ «x»\r\ntheorem α (h : «a b») : p := by\r\n  sorry -- here\r\n\r\nend';
    expect(put(text, 'tactic', 'by\n  a\n  b')).toBe(text.replace('sorry', 'a\r\n  b'));
  });

  it('writes several into one file, in any order', () => {
    const text = 'theorem a : p := sorry\ntheorem b : p := by sorry\n';
    const proofs = [
      { place: placeOf(text, 'term', 0), proof: 'by\n  x\n  y' },
      { place: placeOf(text, 'tactic', 1), proof: 'by z' },
    ];
    const expected = 'theorem a : p := by\n  x\n  y\ntheorem b : p := by z\n';
    expect(withProofs(text, proofs)).toBe(expected);
    expect(withProofs(text, proofs.toReversed())).toBe(expected);
  });

  it('drops the fun of an equation-style proof', () => {
    const text = 'theorem t : T\n  | 0 => rfl\n  | n => sorry\n';
    const place: Place = { file: 'A.lean', start: [2, 2], end: [3, 14], form: 'equations' };
    const proof = 'fun\n  | 0 => rfl\n  | n => by simp';
    expect(withProofs(text, [{ place, proof }])).toBe('theorem t : T\n  | 0 => rfl\n  | n => by simp\n');
  });
});

describe('a patch', () => {
  it('applies with git: near and distant changes, with and without a final newline', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-patch-'));
    try {
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
      const before = lines.join('\n');
      const after = lines
        .toSpliced(38, 2, 'last\n')
        .toSpliced(20, 1)
        .toSpliced(5, 2, 'x', 'y', 'z')
        .join('\n');
      writeFileSync(path.join(folder, 'A.lean'), before);
      const patch = patchOf('A.lean', before, after);
      expect(patch.match(/^@@ /gm)).toHaveLength(3);
      execFileSync('git', ['apply', '-'], { cwd: folder, input: patch });
      expect(readFileSync(path.join(folder, 'A.lean'), 'utf8')).toBe(after);
      expect(patchOf('A.lean', before, before)).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
