import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/core/folders.ts';
import { temporaryFolder } from '../helpers/folders.ts';

test('makes a folder and its parents, and leaves those that exist', () => {
  const top = temporaryFolder();
  const folder = path.join(top, 'a', 'b', 'c');
  makeFolders(folder, 0o700);
  writeFileSync(path.join(folder, 'file'), '');
  makeFolders(folder);
  expect(existsSync(path.join(folder, 'file'))).toBe(true);
  expect(statSync(path.join(top, 'a')).mode & 0o777).toBe(0o700);
});

test('says so where no folder can be', () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const folder of [file, path.join(file, 'a'), '/dev/null/a', '/proc/a/b'])
    expect(() => makeFolders(folder)).toThrowError(`cannot make the folder ${folder} (`);
});
