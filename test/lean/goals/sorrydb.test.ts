import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { valueOrThrow } from '../../../src/core/result.ts';
import { parseSorryRecord, placesOf } from '../../../src/lean/goals/sorry-record.ts';
import { SorryRecords } from '../../../src/lean/goals/sorrydb.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const shown = { case: '', hypotheses: [{ name: 'n', type: 'Nat' }], target: 'n = n' };
const sorries = [{ start: [3, 2], end: [3, 7], form: 'tactic' }];
const goal = { sorries, shown } as unknown as Parameters<SorryRecords['of']>[1];

test('a record contains the repository and the Lean version of the file, not of the caller', () => {
  const root = realpathSync(temporaryFolder());
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  mkdirSync(path.join(root, 'Part'));
  const file = path.join(root, 'Part', 'A.lean');
  writeFileSync(file, 'theorem t (n : Nat) :\n  n = n := by\n  sorry\n');
  writeFileSync(path.join(root, 'lakefile.toml'), 'name = "part"\n');
  writeFileSync(path.join(root, 'lean-toolchain'), 'leanprover/lean4:v4.27.0\n');
  git('init', '-q', '-b', 'trunk');
  git('remote', 'add', 'origin', 'https://ada:hun/ter2@example.org/part.git');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first');
  const [record] = new SorryRecords().of(file, goal);
  expect(record).toMatchObject({
    repo: {
      remote: 'https://example.org/part.git',
      branch: 'trunk',
      commit: git('rev-parse', 'HEAD'),
      lean_version: 'v4.27.0',
    },
    location: { path: 'Part/A.lean', start_line: 3, start_column: 2, end_line: 3, end_column: 7 },
    debug_info: { goal: 'n : Nat\n⊢ n = n' },
  });
  expect(new SorryRecords().of(file, goal)).toEqual([record]);
  // what we write we also read, in a clone that lies in a folder of the repository's name
  const again = valueOrThrow(parseSorryRecord(JSON.parse(JSON.stringify(record))));
  expect(again).toMatchObject({ id: record?.id, location: { start_line: 3, start_column: 2 } });
  expect(placesOf(again)).toEqual(['Part/A.lean', 'part/Part/A.lean', 'example.org/part/Part/A.lean']);
});
