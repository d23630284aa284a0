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
  readonly given?: { readonly proof: string; readonly assumes: readonly string[] };
}

async function prove(
  folder: string,
  text: string,
  ...flags: string[]
): Promise<{ goals: Record<string, Goal>; code: number | null; after: string; stderr: string }> {
  const file = path.join(folder, 'Chain.lean');
  writeFileSync(file, text);
  const common = ['--goal-cpu', '8', '--profile', '0', '--cpu-target', '1', '--num-procs', '1'];
  const args = ['prove', 'Chain.lean', ...common, '--reporter', 'json', ...flags];
  const { code, stdout, stderr } = await orch(args, { cwd: folder });
  const lines = jsonLines(stdout) as ({ type: string } & Goal)[];
  const goals = lines.filter(({ type }) => type === 'goal');
  const named = Object.fromEntries(goals.map((goal) => [goal.id.split(' ').at(-1) ?? '', goal]));
  return { goals: named, code, after: readFileSync(file, 'utf8'), stderr };
}

const open = `opaque P : Nat → Prop

theorem base : P 0 := sorry

theorem up (n : Nat) (h : P n) : P (n + 1) := by
  sorry

theorem three : P 3 := sorry
`;

test('a theorem that follows from open ones is written, and does not count as solved', async () => {
  const { goals, code, after } = await prove(temporaryFolder(), open, '--write');
  expect(code).toBe(1);
  expect(goals['three']).toMatchObject({ solved: false });
  expect([...(goals['three']?.given?.assumes ?? [])].toSorted()).toEqual(['base', 'up']);
  expect(goals['three']?.reason).toMatch(/^proved, given /);
  expect(after.match(/sorry/g)).toHaveLength(2);
  expect(after).toMatch(/theorem three : P 3 := by/);
});

test('not if the setting forbids it', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'orch.toml'), 'open_lemmas = "off"\n');
  const { goals, after } = await prove(folder, open, '--write');
  expect(goals['three']?.given).toBeUndefined();
  expect(after).toBe(open);
});

test('it is solved as soon as what it follows from is proved, in one run', async () => {
  const text = `def same : Nat → Nat
  | 0 => 0
  | n + 1 => same n + 1

theorem same_eq (n : Nat) : same n = n := sorry

theorem same_large : same (same 500000000) = 500000000 := sorry
`;
  const { goals, code, after } = await prove(temporaryFolder(), text, '--write');
  expect(goals['same_large']).toMatchObject({ solved: true });
  expect(after).not.toMatch(/sorry/);
  expect(code).toBe(0);
});

test('nothing counts that follows from a false lemma', async () => {
  const text = `opaque P : Nat → Prop

theorem bad (n : Nat) : n * n < 9 := sorry

theorem worse (h : ∀ n : Nat, n * n < 9 → P n) : P 7 := sorry
`;
  const { goals, after } = await prove(temporaryFolder(), text, '--write');
  expect(goals['bad']?.refuted).not.toBeNull();
  expect(goals['worse']).toMatchObject({ solved: false });
  expect(goals['worse']?.given).toBeUndefined();
  expect(after).toBe(text);
});
