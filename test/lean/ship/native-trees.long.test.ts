import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/folders.ts';
import { installLake } from '../../helpers/lake.ts';
import { orch } from '../../helpers/orch.ts';
import { repositoryWith } from '../../helpers/repository.ts';

const files = {
  'lean-toolchain': 'leanprover/lean4:v4.28.0\n',
  'lakefile.toml': 'name = "sums"\n[[lean_lib]]\nname = "Sums"\nglobs = ["Sums.*"]\n',
  // .lake is not ignored: it must not be committed all the same
  '.gitignore': '.orch\n',
  'Sums/Basic.lean':
    'def double (n : Nat) : Nat := n + n\n\ntheorem double_zero : double 0 = 0 := by\n  sorry\n',
  'Sums/More.lean': 'import Sums.Basic\n\ntheorem double_two (n : Nat) : double n = 2 * n := by\n  sorry\n',
};

test("sweep, ship and check --changed use the project's own Lean in work trees", async () => {
  const { cwd, git, server, env: github } = await repositoryWith(files);
  const env = { ...github, ...(await installLake(temporaryFolder())) };
  const swept = await orch(['sweep', '--ship', '--base', 'dev', '--repo', 'o/r', '--profile', '0'], {
    cwd,
    env,
  });
  expect([swept.code, swept.stdout + swept.stderr]).toEqual([0, expect.stringContaining('(lake)')]);
  expect(server.requests.map(({ title, base }) => [title, base.ref])).toEqual([
    [expect.stringContaining('double_zero'), 'dev'],
    [expect.stringContaining('double_two'), 'dev'],
  ]);
  const shipped = git('diff', '--name-only', 'dev', 'origin/auto/lem/root/double_two').trim();
  expect(shipped).toBe('Sums/More.lean');
  // nothing was built in the checkout
  expect(git('status', '--porcelain')).toBe('');

  const more = path.join(cwd, 'Sums/More.lean');
  writeFileSync(more, files['Sums/More.lean'].replace('2 * n', '3 * n'));
  const changed = await orch(['check', '--changed', '--build'], { cwd, env });
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('statement')]);

  git('checkout', '--quiet', '.');
  // another lakefile is another program: it is not run because the checkout's was trusted
  appendFileSync(path.join(cwd, 'lakefile.toml'), '\n[leanOptions]\nautoImplicit = false\n');
  appendFileSync(more, '\ntheorem again : double 1 = 2 := rfl\n');
  const other = await orch(['check', '--changed', '--build'], { cwd, env });
  expect(other.code).toBe(3);
  expect(other.stdout + other.stderr).toContain('lakefile.toml at this commit and in');
});
