import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { blueprintFault } from '../../src/commands/run/sanity.ts';
import { withFileLock } from '../../src/io/file-lock.ts';
import { patient } from '../../src/store/ledger/patient.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { orch } from '../helpers/orch.ts';

test('a second bg on the same ledger is refused while the first is running', async () => {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, '.orch'));
  writeFileSync(path.join(cwd, 'Work.lean'), 'theorem t : 1 = 1 := sorry\n');
  const second = await withFileLock(
    path.join(cwd, '.orch/ledger.db.bg'),
    async () => await orch(['bg', '--duration', '1'], { cwd }),
  );
  expect(second.code).toBe(2);
  expect(second.stderr).toContain('another orch bg is already running here');
});

test('sweep and ship refuse a dirty work tree or a missing base before any expensive work', async () => {
  const cwd = temporaryFolder();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(cwd, 'Work.lean'), 'theorem t : 1 = 1 := sorry\n');
  for (const command of ['sweep', 'ship']) {
    const dirty = await orchHere([command, '--base', 'main'], { cwd });
    expect([dirty.code, dirty.stderr]).toEqual([2, expect.stringContaining('not committed: ?? Work.lean')]);
  }
  git('add', '--all');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.invalid', 'commit', '--quiet', '--message', 'Begin');
  const lost = await orchHere(['sweep'], { cwd });
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('there is no branch dev')]);
});

test('sanity checks a blueprint: none outside of projects, missing, empty, and one that can be drawn', async () => {
  const folder = temporaryFolder();
  expect(await blueprintFault(folder)).toBeUndefined();
  writeFileSync(path.join(folder, 'lakefile.toml'), 'name = "x"\n');
  expect(await blueprintFault(folder)).toContain('is missing');
  mkdirSync(path.join(folder, 'blueprint/src'), { recursive: true });
  writeFileSync(path.join(folder, 'blueprint/src/content.tex'), '\\chapter{Nothing}\n');
  expect(await blueprintFault(folder)).toContain('has no statement');
  rmSync(path.join(folder, 'blueprint'), { recursive: true });
  cpSync('examples/sorting/blueprint', path.join(folder, 'blueprint'), { recursive: true });
  expect(await blueprintFault(folder)).toBeUndefined();
});

test('an endless run waits for disk space, and for nothing else', async () => {
  using database = new DatabaseSync(':memory:');
  database.exec('PRAGMA max_page_count = 4; CREATE TABLE t (text TEXT);');
  const fill = (): void => database.exec('INSERT INTO t VALUES (hex(zeroblob(20000)))');
  expect(fill).toThrow(/full/);
  const told: string[] = [];
  let waits = 0;
  const journal = patient(
    {
      append: async () => {
        fill();
        return 7;
      },
    },
    {
      told: (text) => void told.push(text),
      sleep: async () => {
        // space is freed during the third wait
        if (++waits === 3) database.exec('PRAGMA max_page_count = 4000');
      },
    },
  );
  expect(await journal.append([])).toBe(7);
  expect([waits, told.length]).toEqual([3, 1]);
  const broken = patient(
    { append: async () => await Promise.reject(new Error('malformed')) },
    { told: () => undefined, sleep: async () => undefined },
  );
  await expect(broken.append([])).rejects.toThrow('malformed');
});
