import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { GoalsRead } from '../../../src/lean/goals/goal.ts';
import { declaredAxioms } from '../../../src/lean/goals/goal.ts';
import { readGoals } from '../../../src/lean/goals/read.ts';
import { SourceText } from '../../../src/lean/base/source-text.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { conversation, sessionOf } from '../../helpers/lean.ts';

const lean = conversation();

async function read(files: Record<string, string>, name: string, strict = false): Promise<GoalsRead> {
  const folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return await readGoals(path.join(folder, name), async (_, talk) => await lean.pool.use(talk), {
    strict,
  });
}

async function complaint(rows: string): Promise<string> {
  try {
    await read({ 'goals.jsonl': rows }, 'goals.jsonl', true);
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as Error).message;
  }
  throw new Error('a complaint was expected');
}

const record = {
  repo: { remote: 'https://github.com/someone/notes', commit: 'abc', lean_version: 'v4.28.0' },
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
  test('rows of a bank and rows of others are read without their reference proofs', async () => {
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

  test('a numeric difficulty is kept, in either field', async () => {
    const rows = [{ difficulty: 0.7 }, { estimated_difficulty: 0.3 }, { difficulty: 'easy' }];
    const text = rows.map((row, id) =>
      JSON.stringify({ id: `${id}`, statement: 'theorem t : 1 = 1', ...row }),
    );
    const { goals } = await read({ 'g.jsonl': text.join('\n') }, 'g.jsonl');
    expect(goals.map(({ estimate }) => estimate)).toEqual([0.7, 0.3, undefined]);
    expect(goals.map(({ label }) => label)).toEqual([null, null, 'easy']);
  });

  test('axioms not declared as allowed stay forbidden', async () => {
    const row = JSON.stringify({ preamble: 'axiom ax : 1 = 2', statement: 'theorem t : 1 = 1' });
    const { goals } = await read({ 'g.jsonl': row }, 'g.jsonl');
    expect(goals[0]?.allowAxioms).toEqual([]);
    expect(declaredAxioms('@[simp] axiom ax1 (p : Prop) : p')).toEqual(['ax1']);
  });

  test.each([
    ['{"statement": "theorem t : 1 = 1"', /:1: the line is not JSON/],
    ['\n{"id": "x"}', /:2: "statement"/],
    ['{"statement": "theorem t : 1 = 1", "difficulty": 7}', /:1: "difficulty" is easy, medium, hard or a/],
    ['{"statement": "1 = 1"}', /:1: "statement" is "theorem NAME/],
    ['{"statement": "theorem t : 1 = 1", "label": "tricky"}', /:1: "label"/],
    [
      '{"id":"a","statement":"theorem t : 1 = 1"}\n{"id":"a","statement":"theorem u : 1 = 1"}',
      /:2: the id "a" is already used/,
    ],
    ['{"id":"r","repo":{"remote":"x"},"location":{"path":"a.lean"}}', /:1: "location.start_line"/],
  ])('%j is reported with its place and reason', async (rows, expected) => {
    expect(await complaint(rows)).toMatch(expected);
  });

  test('one bad row does not affect the others; if all are bad, the first error is reported', async () => {
    const rows =
      '{"id": "x"}\n{"statement": "theorem t : 1 = 1"}\nno row\n{"statement": "theorem t : 2 = 2"}\n';
    const { goals, unreadable } = await read({ 'g.jsonl': `\uFEFF${rows}` }, 'g.jsonl');
    expect(goals.map(({ statement }) => statement)).toEqual(['theorem t : 1 = 1']);
    expect(unreadable.map(({ message }) => message)).toEqual([
      expect.stringMatching(/:1: "statement"/),
      expect.stringMatching(/:3: the line is not JSON/),
      expect.stringMatching(/:4: the id "t" is already used/),
    ]);
    await expect(read({ 'g.jsonl': '{"id": "x"}\nno row' }, 'g.jsonl')).rejects.toThrow(/:1: "statement"/);
  });

  test('a file without rows is refused', async () => {
    expect(await complaint('\n \n')).toMatch(/has no goals$/);
  });

  test('a missing file is refused', async () => {
    await expect(read({}, 'none.jsonl')).rejects.toThrow(/cannot read .*none\.jsonl/);
  });
});

describe('SorryDB', () => {
  test('a record finds its file next to it, directly or below the repository’s name', async () => {
    for (const folder of ['', 'notes/', 'someone/notes/']) {
      const files = { 'r.jsonl': JSON.stringify(record), [`${folder}Notes/Basic.lean`]: notes };
      const { goals, unreadable } = await read(files, 'r.jsonl');
      expect(unreadable).toEqual([]);
      expect(goals.map(({ id, statement }) => [id, statement])).toEqual([
        ['a7f9b3c5d2e1', 'theorem second (n : Nat) : n + 0 = n'],
      ]);
    }
  });

  test('a whole database is read; missing files and wrong places are reported and do not stop the others', async () => {
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
      expect.stringMatching(/^missing: the file Nowhere.lean was not found; check out .*notes at abc/),
      expect.stringMatching(/^outside: the file .* was not found/),
      expect.stringMatching(/^elsewhere: .*Basic.lean has no sorry at line 1/),
    ]);
  });
});

describe('the sorrys of a Lean file', () => {
  test('each is a goal or is listed with the reason, in every kind of declaration', async () => {
    const { goals, unreadable } = await read({ 'a.lean': everywhere }, 'a.lean');
    expect(goals.map(({ id, source, statement }) => [id, source?.replace(/.*:/, ''), statement])).toEqual([
      ['A.whole', '4', '/-- it is -/\n@[simp] theorem whole : two = 1 + 1'],
      ['A.parts#1', '8', 'theorem parts_goal_1 (p : Prop) (q : Prop) (h : p) (k : q) : p'],
      ['A.parts#2', '9', 'theorem parts_goal_2 (p : Prop) (q : Prop) (h : p) (k : q) : q'],
      ['A.inside', '12', 'theorem inside : let x := 1; x = 1'],
      ['A.positive', '14', 'theorem positive_goal_1 : 1 > 0'],
      ['A.instInhabitedSubtypeNatGtOfNat', '18', expect.stringContaining('4 > 3')],
      ['A.example', '20', 'theorem example_goal_1 (n : Nat) : n + 0 = n'],
      ['A.sectioned', '23', 'theorem sectioned (xs : List α) : (xs ++ []) = xs'],
      ['A.equations#1', '27', 'theorem equations_goal_1 : 0 + 0 = 0'],
      ['A.equations#2', '28', 'theorem equations_goal_2 (n : Nat) (this : n + 0 = n) : n + 1 + 0 = n + 1'],
      ['A.m1', '30', 'theorem m1_goal_1 : 1 + 1 = 2'],
      ['A.m2', '31', 'theorem m2_goal_2 : 2 + 1 = 3'],
      ['A.outer.aux', '34', 'theorem aux_goal_1 : 2 = 2'],
      ['A.after', '36', 'theorem after : 3 = 3'],
      ['A.letted', '40', 'theorem letted : 1 = 1'],
      ['A.«größer als»', '44', 'theorem «größer als» (é : Nat) : é = é'],
    ]);
    expect(goals.find(({ id }) => id === 'A.letted')?.holes).toEqual({
      kind: 'sorries',
      template: 'by\n  let x := 1\n  have : x = 1 := by sorry\n  rfl',
    });
    expect(
      unreadable.map(({ id, source, message }) => `${id} ${source.replace(/.*:/, '')} ${message}`),
    ).toEqual([
      'A.number 13 data of type Nat is missing here, not a proof: there is nothing to prove',
      expect.stringMatching(/^A\.broken 15 unexpected token.*\(line 15, column 21\)$/),
      expect.stringMatching(/^A\.wrong 16 .*unsolved|decide|false/i),
      expect.stringMatching(/^text at line 35 35 unexpected identifier; expected command/),
      'A.witness#1 37 data of type Nat is missing here, not a proof: there is nothing to prove',
      'A.witness#2 37 its goal mentions another sorry',
    ]);
  });

  test('the context of a goal is the file without its broken parts', async () => {
    const { goals } = await read({ 'a.lean': everywhere }, 'a.lean');
    const of = (id: string): string => goals.find((goal) => goal.id === id)?.preamble ?? '';
    expect(of('A.whole')).toBe('namespace A\ndef two := 2\n');
    expect(of('A.after')).not.toMatch(/broken|wrong|foo bar/);
    expect(of('A.after').split('\n')).toHaveLength(36);
    for (const { preamble, statement } of goals)
      await lean.pool.use(async (lease) => {
        const session = await sessionOf(lease, preamble);
        expect(await lease.request('statement', { session, statement })).toMatchObject({ ok: true });
      });
  });

  test('a file binds undeclared names by Lean’s rule for files, and its goals record that', async () => {
    const text = [
      'inductive Path (R : E → E → Prop) : E → E → Prop',
      '  | refl : Path R a a',
      '  | step : R a b → Path R b c → Path R a c',
      '',
      'theorem Path.one (R : Node → Node → Prop) (h : R a b) : Path R a b := by sorry',
    ].join('\n');
    const { goals, warnings } = await read({ 'A.lean': text }, 'A.lean');
    expect(warnings).toEqual([expect.stringMatching(/A\.lean: Lean makes E, Node variables/)]);
    const [goal] = goals;
    if (!goal) throw new Error('a goal was expected');
    expect(goal.preamble).toMatch(/^set_option relaxedAutoImplicit true inductive Path/);
    expect(goal.preamble.split('\n')).toHaveLength(5);
    await lean.pool.use(async (lease) => {
      const session = await sessionOf(lease, goal.preamble);
      const { statement } = goal;
      expect(await lease.request('statement', { session, statement })).toMatchObject({ ok: true });
    });

    const refused = `set_option relaxedAutoImplicit false\n${text}`;
    const strict = await read({ 'B.lean': refused }, 'B.lean');
    expect(strict.goals).toEqual([]);
    const plain = await read({ 'C.lean': 'theorem t (xs : List α) : xs = xs := by sorry' }, 'C.lean');
    expect(plain.goals[0]?.preamble).toBe('');
  });

  test('a byte order mark and Windows line ends change only the positions on disk', async () => {
    const raw = '\uFEFFtheorem é (n : Nat) :\r\n    n = n := by\r\n  sorry\r\n';
    const { goals } = await read({ 'w.lean': raw }, 'w.lean');
    expect(goals[0]).toMatchObject({ id: 'é', statement: 'theorem é (n : Nat) :\n    n = n' });
    const { start, end } = goals[0]?.place ?? { start: [1, 0], end: [1, 0] };
    expect(new SourceText(raw).replace(start, end, 'skip\nrfl')).toBe(raw.replace('sorry', 'skip\r\nrfl'));
  });

  test('a file without sorry has no goals; a file that does not parse is refused with Lean’s first error', async () => {
    expect(await read({ 'd.lean': 'theorem t : 1 = 1 := rfl' }, 'd.lean')).toEqual({
      goals: [],
      unreadable: [],
      warnings: [],
    });
    await expect(read({ 'n.lean': '\nthis is not Lean' }, 'n.lean')).rejects.toThrow(
      /n\.lean:2:1: unexpected/,
    );
    await expect(read({ 'i.lean': 'import\n' }, 'i.lean')).rejects.toThrow(/i\.lean:\d+:\d+: /);
  });

  test('a file that imports a missing library is one unreadable goal', async () => {
    const { goals, unreadable } = await read(
      { 'm.lean': 'import Mathlib\ntheorem t : 1 = 1 := sorry' },
      'm.lean',
    );
    expect(goals).toEqual([]);
    expect(unreadable[0]?.message).toMatch(/Mathlib/);
  });
});

const everywhere = `namespace A
def two := 2
/-- it is -/
@[simp] theorem whole : two = 1 + 1 := sorry
theorem done : 1 = 1 := rfl
theorem parts (p q : Prop) (h : p) (k : q) : p ∧ q := by
  constructor
  · sorry
  · sorry
theorem inside : let x := 1; x = 1 := by
  -- a word about it
  sorry
def number : Nat := sorry
def positive : { n : Nat // n > 0 } := ⟨1, sorry⟩
theorem broken : 1 = := by sorry
theorem wrong : 1 = 2 := by decide
instance : Inhabited { n : Nat // n > 3 } where
  default := ⟨4, by sorry⟩
example (n : Nat) : n + 0 = n :=
  by exact sorry
variable {α : Type u} [BEq α] (x : α)
theorem sectioned (xs : List α) : (xs ++ []) = xs := by
  have : xs.length = xs.length := by sorry
  cases xs with | nil => sorry
                | cons y ys => simp
theorem equations : ∀ n : Nat, n + 0 = n
  | 0 => sorry
  | n+1 => by have := equations n; sorry
mutual
theorem m1 : 1 + 1 = 2 := sorry
theorem m2 : 2 + 1 = 3 := sorry
end
theorem outer : 2 = 2 := aux where
  aux : 2 = 2 := sorry
foo bar baz
theorem after : 3 = 3 := by sorry
theorem witness : ∃ n : Nat, n > 3 := ⟨sorry, sorry⟩
theorem letted : 1 = 1 := by
  let x := 1
  have : x = 1 := by sorry
  rfl
/-! Names may be written in any language. -/
theorem «größer als» (é : Nat) : é = é :=
  sorry
end A
`;
