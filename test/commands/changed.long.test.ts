import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch, type Finished } from '../helpers/orch.ts';

let folder: string;
const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder });
const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
const check = async (): Promise<Finished> =>
  await orch(['check', '--changed', '--timeout', '300'], { cwd: folder });

const defs =
  'def two : Nat := 2\ninfix:50 " ≐ " => fun (a b : Nat) => a = b\ntheorem two_pos : 0 < two := sorry\n';

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(path.join(folder, 'Demo'));
  write('lakefile.toml', 'name = "demo"\n[[lean_lib]]\nname = "Demo"\nglobs = ["Demo.+"]\n');
  write('Demo/Defs.lean', defs);
  write('Demo/Above.lean', 'import Demo.Defs\n\ntheorem above : two + 1 ≐ 4 := sorry\n');
  write('.gitignore', '.orch/\n');
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '--quiet', '--message', 'Begin');
});

test('a changed proof in an imported module does not affect its importers', async () => {
  write('Demo/Defs.lean', defs.replace('sorry', 'by decide'));
  expect(await check()).toMatchObject({ code: 0, stdout: '' });
});

test('a changed notation is detected in importers whose text is unchanged', async () => {
  write('Demo/Defs.lean', defs.replace('a = b', 'a ≠ b'));
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ Demo\/Defs\.lean .*≐/m);
  expect(stdout).toMatch(/^✗ Demo\/Above\.lean {2}above {2}statement-changed/m);
});

test('a changed definition and a changed theorem of importers are both reported', async () => {
  write('Demo/Defs.lean', defs.replace('Nat := 2', 'Nat := 3'));
  write('Demo/Above.lean', 'import Demo.Defs\n\ntheorem above : two + 1 ≐ 4 := rfl\n');
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ Demo\/Defs\.lean .*two/m);
  expect(stdout).toMatch(/^✗ Demo\/Above\.lean /m);
});

test.each(['--assume-unchanged', '--skip-worktree'])(
  'a change that git hides (%s) is checked',
  async (hide) => {
    git('update-index', hide, 'Demo/Above.lean');
    write('Demo/Above.lean', 'import Demo.Defs\n\ntheorem above : True := trivial\n');
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ Demo\/Above\.lean {2}above {2}statement-changed/m);
  },
);

const implicit = 'theorem any : ∀ a : α, a = a := fun _ => rfl\n';

test('a changed option of the lakefile is checked in every file that it affects', async () => {
  write('Demo/Any.lean', implicit);
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '--quiet', '--message', 'More');
  const [lakefile, more] = [
    'name = "demo"\n[[lean_lib]]\nname = "Demo"\nglobs = ["Demo.+"]\n',
    'leanOptions = { autoImplicit = false }\n',
  ];
  write('lakefile.toml', lakefile + more);
  const { code, stdout } = await check();
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/ Demo\/Any\.lean /);
  expect(stdout).not.toMatch(/ Demo\/(Above|Defs)\.lean /);
});

test('a lakefile that leads an import to another file is a change of the importer', async () => {
  mkdirSync(path.join(folder, 'other/Demo'), { recursive: true });
  write('other/Demo/Defs.lean', defs.replace('Nat := 2', 'Nat := 3'));
  write(
    'lakefile.toml',
    'name = "demo"\n[[lean_lib]]\nname = "Other"\nsrcDir = "other"\nroots = ["Demo.Defs"]\n[[lean_lib]]\nname = "Demo"\nglobs = ["Demo.+"]\n',
  );
  const { code, stdout } = await check();
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/^[✗?] Demo\/Above\.lean /m);
});

test('a change outside a sparse checkout is checked', async () => {
  git('sparse-checkout', 'set', '--no-cone', '/*', '!/Demo/Above.lean');
  write('Demo/Above.lean', 'import Demo.Defs\n\ntheorem above : True := trivial\n');
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ Demo\/Above\.lean {2}above {2}statement-changed/m);
});
