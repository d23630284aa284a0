import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ensureStage, removeIfDamaged, stageFolder, type BuildStage } from '../../src/io/stage.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** A forged cache or snapshot. The image of the embedded Lean is such a stage: anyone who can change it can judge for us. */
function stage(key: string): BuildStage {
  return {
    name: 'image',
    key,
    async build(folder) {
      await Promise.resolve();
      writeFileSync(path.join(folder, 'heap.bin'), `heap of ${key}`);
    },
  };
}
const heap = (folder: string): string => path.join(folder, 'heap.bin');

const forgeries: Record<string, (folder: string, root: string) => void> = {
  'others may write the folder': (folder) => chmodSync(folder, 0o770),
  'others may write a file': (folder) => chmodSync(heap(folder), 0o660),
  'the folder is a link to someone else’s': (folder, root) => {
    renameSync(folder, path.join(root, 'elsewhere'));
    symlinkSync(path.join(root, 'elsewhere'), folder);
  },
  'a file is a link to someone else’s': (folder, root) => {
    renameSync(heap(folder), path.join(root, 'forged.bin'));
    symlinkSync(path.join(root, 'forged.bin'), heap(folder));
  },
  'a file was written again': (folder) => writeFileSync(heap(folder), 'forged heap'),
  'the folder of other inputs lies in its place': (folder, root) => {
    const other = stageFolder(root, stage('other'));
    cpSync(other, folder, { recursive: true, force: true, preserveTimestamps: true });
  },
};

test.for(Object.entries(forgeries))('%s: the stage is rebuilt', async ([, forge]) => {
  const root = temporaryFolder();
  await ensureStage(root, stage('other'));
  const folder = await ensureStage(root, stage('mine'));
  forge(folder, root);
  await ensureStage(root, stage('mine'));
  expect(readFileSync(heap(folder), 'utf8')).toBe('heap of mine');
  expect(statSync(folder).mode & 0o077).toBe(0);
  expect(statSync(heap(folder)).mode & 0o077).toBe(0);
});

test('changed bytes with the old size and time are detected when a worker fails', async () => {
  const root = temporaryFolder();
  const folder = await ensureStage(root, stage('mine'));
  const { atime, mtime } = statSync(heap(folder));
  writeFileSync(heap(folder), 'HEAP OF MINE');
  utimesSync(heap(folder), atime, mtime);
  expect(await removeIfDamaged(root, stage('mine'))).toBe(true);
  expect(existsSync(folder)).toBe(false);
});
