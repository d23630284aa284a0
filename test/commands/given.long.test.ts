import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, orch } from '../helpers/orch.ts';

interface Goal {
  readonly id: string;
  readonly solved: boolean;
  readonly refuted: string | null;
  readonly reason: string;
  readonly arm: string | null;
  readonly given?: { readonly proof: string; readonly assumes: readonly string[] };
}

async function prove(
  folder: string,
  text: string,
  ...flags: string[]
): Promise<{ goals: Record<string, Goal>; code: number | null; after: string; stderr: string }> {
  const file = path.join(folder, 'Chain.lean');
  writeFileSync(file, text);
  const common = ['--goal-cpu', '4', '--profile', '0', '--cpu-target', '1', '--num-procs', '1'];
  const args = ['prove', 'Chain.lean', ...common, '--reporter', 'json', ...flags];
  const { code, stdout, stderr } = await orch(args, { cwd: folder });
  const lines = jsonLines(stdout) as ({ type: string } & Goal)[];
  const goals = lines.filter(({ type }) => type === 'goal');
  const named = Object.fromEntries(goals.map((goal) => [goal.id.split(' ').at(-1) ?? '', goal]));
  return { goals: named, code, after: readFileSync(file, 'utf8'), stderr };
}

const shape = /^proved, given /;

test('a theorem that follows from open ones is written and does not count; nothing follows from a false one', async () => {
  const text = `opaque P : Nat → Prop

theorem base : P 0 := sorry

theorem up (n : Nat) (h : P n) : P (n + 1) := by
  sorry

theorem three : P 3 := sorry

theorem four : P 4 := sorry

theorem bad (n : Nat) : n * n < 9 := sorry

theorem worse (h : ∀ n : Nat, n * n < 9 → P n) : P 70 := sorry
`;
  const folder = temporaryFolder();
  const { goals, code, after, stderr } = await prove(folder, text, '--write');
  expect(code).toBe(1);
  expect(Object.values(goals).filter(({ solved }) => solved)).toEqual([]);
  expect(goals['three']?.reason).toMatch(shape);
  expect(goals['three']?.given?.assumes.toSorted()).toEqual(['base', 'up']);
  expect(goals['bad']?.refuted).not.toBeNull();
  expect(goals['worse']?.given).toBeUndefined();
  // base, up, bad and worse; four may take three as given, which has a proof now
  expect(after.match(/sorry/g)).toHaveLength(4);
  expect(stderr).toMatch(/three is proved only if (?:base, up|up, base) hold/);
  expect(stderr).toMatch(/four is proved only if (?:base, up|up, base) hold/);
});

test('it is solved when what it follows from is proved, in the same run', async () => {
  const text = `def insert' (a : Nat) : List Nat → List Nat
  | [] => [a]
  | b :: l => if a ≤ b then a :: b :: l else b :: insert' a l

def order : List Nat → List Nat
  | [] => []
  | a :: l => insert' a (order l)

theorem length_insert (a : Nat) (l : List Nat) : (insert' a l).length = l.length + 1 := by
  sorry

theorem length_order (l : List Nat) : (order l).length = l.length := by
  sorry
`;
  const folder = temporaryFolder();
  const { goals, code, after } = await prove(folder, text, '--write');
  expect(goals['length_order']).toMatchObject({ solved: true, arm: 'micro/given', assumes: [] });
  expect(after).not.toMatch(/sorry/);
  expect(code).toBe(0);
  // the ledger has a proof of each that holds in the file
  const audit = await orch(['ledger', 'audit', '--sample', '100%'], { cwd: folder });
  expect(audit.stdout + audit.stderr).toMatch(/3 accepted, 0 rejected, 0 unknown/);
});
