import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { GoalsRead } from '../../../src/lean/goals/goal.ts';
import { declaredAxioms } from '../../../src/lean/goals/goal.ts';
import { readGoals } from '../../../src/lean/goals/read.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

async function read(files: Record<string, string>, name: string): Promise<GoalsRead> {
  const folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return await readGoals(path.join(folder, name), async (talk) => await lean.pool.use(talk));
}

async function complaint(rows: string): Promise<string> {
  try {
    await read({ 'goals.jsonl': rows }, 'goals.jsonl');
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as Error).message;
  }
  throw new Error('a complaint was expected');
}

const record = {
  repo: { remote: 'https://github.com/somebody/notes', commit: 'abc', lean_version: 'v4.28.0' },
  location: { path: 'Notes/Basic.lean', start_line: 3, start_column: 2, end_line: 3, end_column: 7 },
  debug_info: { goal: 'n : Nat\n⊢ n + 0 = n', url: 'https://example.org' },
  metadata: { blame_date: '2025-02-27' },
  id: 'a7f9b3c5d2e1',
};
const at = (id: string, file: string, line: number): unknown => ({
  ...record,
  id,
  location: { file, start_line: line },
});
const notes =
  'theorem first (n : Nat) : 0 + n = n := by simp\ntheorem second (n : Nat) : n + 0 = n := by\n  sorry\n';

describe('rows', () => {
  test('a row of a bank, and one that somebody else wrote: its reference proof is dropped', async () => {
    const rows = [
      { id: 'a', statement: 'theorem t : 1 = 1', topic: 'Nat', label: 'easy' },
      {
        preamble: 'namespace A\naxiom ax : 1 = 2\nend A\naxiom bx : True\n',
        statement: 'theorem other : 1 = 1',
        reference_proof: 'by rfl',
        difficulty: 'hard',
        has_axioms: true,
      },
    ];
    const { goals } = await read(
      { 'g.jsonl': rows.map((row) => JSON.stringify(row)).join('\n\n') },
      'g.jsonl',
    );
    expect(goals.map(({ id, topic, label }) => [id, topic, label])).toEqual([
      ['a', 'Nat', 'easy'],
      ['other', null, 'hard'],
    ]);
    expect(goals[1]?.allowAxioms).toEqual(['A.ax', 'bx']);
    expect(goals[1]?.source).toMatch(/g\.jsonl:3$/);
    expect(JSON.stringify(goals)).not.toContain('rfl');
  });

  test('axioms that are not declared as allowed stay forbidden', async () => {
    const row = JSON.stringify({ preamble: 'axiom ax : 1 = 2', statement: 'theorem t : 1 = 1' });
    const { goals } = await read({ 'g.jsonl': row }, 'g.jsonl');
    expect(goals[0]?.allowAxioms).toEqual([]);
    expect(declaredAxioms('@[simp] axiom ax1 (p : Prop) : p')).toEqual(['ax1']);
  });

  test.each([
    ['{"statement": "theorem t : 1 = 1"', /:1: the line is not JSON/],
    ['\n{"id": "x"}', /:2: "statement"/],
    ['{"statement": "1 = 1"}', /:1: "statement" is "theorem NAME/],
    ['{"statement": "theorem t : 1 = 1", "label": "tricky"}', /:1: "label"/],
    [
      '{"id":"a","statement":"theorem t : 1 = 1"}\n{"id":"a","statement":"theorem u : 1 = 1"}',
      /:2: the id "a" is taken/,
    ],
    ['{"id":"r","repo":{"remote":"x"},"location":{"path":"a.lean"}}', /:1: "location.start_line"/],
  ])('%j says where and what', async (rows, expected) => {
    expect(await complaint(rows)).toMatch(expected);
  });

  test('a file that is not there', async () => {
    await expect(read({}, 'none.jsonl')).rejects.toThrow(/cannot read .*none\.jsonl/);
  });
});

describe('SorryDB', () => {
  test('a record whose file lies beside it, by itself or below the name of its repository', async () => {
    for (const folder of ['', 'notes/', 'somebody/notes/']) {
      const files = { 'r.jsonl': JSON.stringify(record), [`${folder}Notes/Basic.lean`]: notes };
      const { goals, unreadable } = await read(files, 'r.jsonl');
      expect(unreadable).toEqual([]);
      expect(goals.map(({ id, statement }) => [id, statement])).toEqual([
        ['a7f9b3c5d2e1', 'theorem second (n : Nat) : n + 0 = n'],
      ]);
    }
  });

  test('a whole database; files that are not here, and places where nothing is, are said and do not stop the others', async () => {
    const sorries = [
      at('missing', 'Nowhere.lean', 1),
      at('outside', '../../etc/passwd', 1),
      at('elsewhere', 'Notes/Basic.lean', 1),
      at('good', 'Notes/Basic.lean', 3),
    ];
    const files = { 'db.json': JSON.stringify({ repos: [], sorries }), 'Notes/Basic.lean': notes };
    const { goals, unreadable } = await read(files, 'db.json');
    expect(goals.map(({ id }) => id)).toEqual(['good']);
    expect(unreadable.map(({ id, message }) => `${id}: ${message}`)).toEqual([
      expect.stringMatching(/^missing: the file Nowhere.lean is not here; check .*notes at abc out/),
      expect.stringMatching(/^outside: the file .* is not here/),
      expect.stringMatching(/^elsewhere: .*Basic.lean has no sorry at line 1/),
    ]);
  });
});

describe('the sorrys of a Lean file', () => {
  test('whole proofs, holes inside proofs, and what stands before each', async () => {
    const text = [
      'namespace A',
      'def two := 2',
      '/-- it is -/',
      '@[simp] theorem whole : two = 1 + 1 := sorry',
      'theorem done : 1 = 1 := rfl',
      'theorem parts (p q : Prop) (h : p) (k : q) : p ∧ q := by',
      '  constructor',
      '  · sorry',
      '  · sorry',
      'theorem inside : let x := 1; x = 1 := by sorry',
      'def number : Nat := sorry',
      'end A',
    ].join('\n');
    const { goals, unreadable } = await read({ 'a.lean': text }, 'a.lean');
    expect(goals.map(({ id, holes }) => [id, holes.kind])).toEqual([
      ['A.whole', 'statement'],
      ['A.parts', 'sorries'],
      ['A.inside', 'statement'],
    ]);
    expect(goals[0]?.preamble).toBe('namespace A\ndef two := 2\n');
    expect(goals[1]?.statement).toBe('theorem parts (p q : Prop) (h : p) (k : q) : p ∧ q');
    expect(goals[1]?.source).toMatch(/a\.lean:8$/);
    expect(goals[2]?.statement).toBe('theorem inside : let x := 1; x = 1');
    expect(unreadable.map(({ id, message }) => [id, message])).toEqual([
      ['A.number', 'only theorems can be worked on'],
    ]);
  });

  test('a file that asks for a library that is not here is one unreadable goal', async () => {
    const { goals, unreadable } = await read(
      { 'm.lean': 'import Mathlib\ntheorem t : 1 = 1 := sorry' },
      'm.lean',
    );
    expect(goals).toEqual([]);
    expect(unreadable[0]?.message).toMatch(/Mathlib/);
  });
});
