import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { installLake } from '../helpers/lake.ts';
import { orch } from '../helpers/orch.ts';

const files = {
  'lean-toolchain': 'leanprover/lean4:v4.28.0\n',
  'lakefile.toml': 'name = "sums"\n[[lean_lib]]\nname = "Sums"\nglobs = ["Sums.*"]\n',
  'Sums/Basic.lean':
    'def double (n : Nat) : Nat := n + n\n\ntheorem double_zero : double 0 = 0 := by\n  sorry\n',
  'Sums/More.lean': 'import Sums.Basic\n\ntheorem double_two (n : Nat) : double n = 2 * n := by\n  sorry\n',
  'Good.lean': 'theorem good (a b : Nat) : a + b = b + a := Nat.add_comm a b\n',
  'Bad.lean': 'theorem bad : (1 : Nat) = 2 := sorry\n',
};

/** Commands of a day in a project whose own Lean is used, with the exit code and a part of what they print. */
const steps: readonly (readonly [args: string, code: number, says: string])[] = [
  ['trust', 0, 'lakefile.toml'],
  ['doctor', 0, 'lake'],
  ['goals --build', 0, 'double_two'],
  ['check Good.lean', 0, 'accepted'],
  ['check Bad.lean', 1, 'rejected'],
  ['run Sums/Basic.lean', 0, '1 of 1 solved'],
  // Bad.lean is part of the folder, too
  ['prove --write --build', 1, '2 of 3 solved, 1 refuted'],
  ['check Sums/More.lean', 0, 'accepted'],
  ['prove --build', 1, '0 of 1 solved, 1 refuted'],
  ['doctor --selftest', 0, '40 of 40'],
];

test("a day in a project that uses the user's own Lean, from doctor to proofs in files", async () => {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
  const env = await installLake(temporaryFolder());
  const follow = async (some: typeof steps): Promise<void> => {
    for (const [args, code, says] of some) {
      const found = await orch(args.split(' '), { cwd, env });
      const told = found.stdout + found.stderr;
      expect([args, found.code, told]).toEqual([args, code, expect.stringContaining(says)]);
    }
  };
  await follow(steps);
  expect(readFileSync(path.join(cwd, 'Sums/More.lean'), 'utf8')).not.toContain('sorry');
  // Lake has not built this
  appendFileSync(path.join(cwd, 'Sums/Basic.lean'), '\ntheorem again : double 1 = 2 := rfl\n');
  await follow([
    ['check Sums/More.lean', 3, '--build'],
    ['check Sums/More.lean --build', 0, 'accepted'],
  ]);
});

test('another version of Lean is named, and nothing is accepted', async () => {
  const cwd = temporaryFolder();
  const bin = temporaryFolder();
  const env = await installLake(bin);
  const lake = path.join(bin, 'lake');
  writeFileSync(
    lake,
    readFileSync(lake, 'utf8').replace(
      'exec ',
      'case "$*" in *--version*) echo "Lean (version 4.19.0)"; exit 0;; esac\nexec ',
    ),
  );
  for (const name of ['lakefile.toml', 'Good.lean'] as const)
    writeFileSync(path.join(cwd, name), files[name]);
  writeFileSync(path.join(cwd, 'lean-toolchain'), 'leanprover/lean4:v4.19.0\n');
  const found = await orch(['check', 'Good.lean'], { cwd, env });
  expect(found.stdout + found.stderr).toContain('4.19.0');
});
