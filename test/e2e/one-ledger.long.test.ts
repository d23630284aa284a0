import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { repositoryWith } from '../helpers/repository.ts';

const toolchain = 'leanprover/lean4:v4.28.0\n';
const lakefile = (name: string): string => `name = "${name}"\n[[lean_lib]]\nname = "Top"\n`;

/** Two projects with a file and a theorem of the same name, each with another statement. */
const projects = [
  { name: 'first', text: 'theorem small (n : Nat) : n + 0 = n := by\n  sorry\n', proved: 'n + 0 = n' },
  {
    name: 'second',
    text: 'theorem small (a b : Nat) : a + b = b + a := by\n  sorry\n\ntheorem wrong (n : Nat) : n = n + 1 := by\n  sorry\n',
    proved: 'a + b = b + a',
  },
] as const;

test('two projects share a ledger, and each ships its own proofs', async () => {
  const ledger = path.join(temporaryFolder(), 'both.db');
  const repositories = [];
  for (const { name, text } of projects) {
    const files = { 'lean-toolchain': toolchain, 'lakefile.toml': lakefile(name), 'Top.lean': text };
    repositories.push(await repositoryWith({ ...files, '.gitignore': '.orch\n.lake\n' }));
  }
  for (const [index, { cwd }] of repositories.entries()) {
    const proved = await orch(['prove', '--profile', '0', '--ledger', ledger], { cwd });
    expect([proved.code, proved.stdout]).toEqual([
      index,
      expect.stringContaining(index === 0 ? '1 of 1 solved' : '1 of 2 solved, 1 refuted'),
    ]);
  }
  for (const [index, { cwd, git, server, env }] of repositories.entries()) {
    const shipped = await orch(['ship', '--ledger', ledger, '--base', 'dev', '--repo', 'o/r'], { cwd, env });
    expect([shipped.code, shipped.stderr + shipped.stdout]).toEqual([
      0,
      expect.stringContaining('opened  small'),
    ]);
    expect(server.requests.map(({ title }) => title)).toEqual([expect.stringContaining('small')]);
    const branch = git('branch', '--remotes', '--list', '*small*').trim();
    const written = git('show', `${branch}:Top.lean`);
    expect(written).toContain(projects[index]?.proved);
    expect(written.split('\n').slice(0, 3).join('\n')).not.toContain('sorry');
    expect(readFileSync(path.join(cwd, 'Top.lean'), 'utf8')).toBe(projects[index]?.text);
  }
  const stats = await orch(['stats', '--ledger', ledger], { cwd: temporaryFolder() });
  expect(stats.stdout).toContain('2 solved');
});
