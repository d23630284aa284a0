import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ensureStage, isIntact, removeIfDamaged, stageFolder, type BuildStage } from '../../src/io/stage.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { eventually } from '../helpers/processes.ts';

const builder = fileURLToPath(new URL('../fixtures/build-stage.ts', import.meta.url));

function countingStage(key = 'k'): BuildStage & { builds: number } {
  return {
    name: 'thing',
    key,
    builds: 0,
    async build(folder) {
      this.builds++;
      await Promise.resolve();
      writeFileSync(path.join(folder, 'part'), `content of ${key}`);
    },
  };
}

describe('a stage', () => {
  test('reports a full disk or a read-only folder with a fix', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const stage = { ...countingStage(), build: async () => await Promise.reject(full) };
    await expect(ensureStage(temporaryFolder(), stage)).rejects.toMatchObject({
      name: 'UserError',
      code: 'disk-full',
      hint: expect.stringContaining('ORCH_CACHE_DIR') as string,
    });
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(ensureStage(path.join(file, 'cache'), countingStage())).rejects.toMatchObject({
      code: 'cache-unusable',
    });
  });

  test('is built once and then reused', async () => {
    const root = path.join(temporaryFolder(), 'not', 'there', 'yet');
    const stage = countingStage();
    const folder = await ensureStage(root, stage);
    expect(await ensureStage(root, stage)).toBe(folder);
    expect(stage.builds).toBe(1);
    expect(readdirSync(root)).toEqual([path.basename(folder)]);
  });

  test('is private to the user: folders 0700, files 0600', async () => {
    const root = path.join(temporaryFolder(), 'cache');
    const folder = await ensureStage(root, countingStage());
    expect(statSync(root).mode & 0o777).toBe(0o700);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder))
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('has a separate folder for other inputs', async () => {
    const root = temporaryFolder();
    const [first, second] = [countingStage('a'), countingStage('b')];
    expect(await ensureStage(root, first)).not.toBe(await ensureStage(root, second));
    expect(readFileSync(path.join(stageFolder(root, second), 'part'), 'utf8')).toBe('content of b');
  });

  test.each([
    ['a file is missing', (folder: string) => rmSync(path.join(folder, 'part'))],
    [
      'a file has another size',
      (folder: string) => writeFileSync(path.join(folder, 'part'), 'longer than it was'),
    ],
    ['a file was touched', (folder: string) => utimesSync(path.join(folder, 'part'), 1, 1)],
    ['the manifest is not JSON', (folder: string) => writeFileSync(path.join(folder, 'manifest.json'), '{')],
    ['others may enter it', (folder: string) => chmodSync(folder, 0o755)],
  ])('is rebuilt if %s', async (_, damage) => {
    const root = temporaryFolder();
    const stage = countingStage();
    const folder = await ensureStage(root, stage);
    damage(folder);
    expect(await isIntact(folder)).toBe(false);
    await ensureStage(root, stage);
    expect(stage.builds).toBe(2);
    expect(readFileSync(path.join(folder, 'part'), 'utf8')).toBe('content of k');
    expect(await isIntact(folder)).toBe(true);
  });

  test('with changed bytes but the old size and time is detected by its checksum', async () => {
    const root = temporaryFolder();
    const stage = countingStage();
    const folder = await ensureStage(root, stage);
    const file = path.join(folder, 'part');
    const { mtime, atime } = statSync(file);
    writeFileSync(file, 'CONTENT of k');
    utimesSync(file, atime, mtime);
    expect(await removeIfDamaged(root, stage)).toBe(true);
    expect(existsSync(folder)).toBe(false);
    await ensureStage(root, stage);
    expect(stage.builds).toBe(2);
    expect(await removeIfDamaged(root, stage)).toBe(false);
  });

  test('is rebuilt if its cache folder was deleted', async () => {
    const root = path.join(temporaryFolder(), 'cache');
    const stage = countingStage();
    await ensureStage(root, stage);
    rmSync(root, { recursive: true });
    expect(await removeIfDamaged(root, stage)).toBe(true);
    await ensureStage(root, stage);
    expect(stage.builds).toBe(2);
  });

  test('leaves nothing if its build fails', async () => {
    const root = temporaryFolder();
    const stage: BuildStage = {
      name: 'thing',
      key: 'k',
      async build(folder) {
        await Promise.resolve();
        writeFileSync(path.join(folder, 'part'), 'half');
        throw new Error('no luck');
      },
    };
    await expect(ensureStage(root, stage)).rejects.toThrow('no luck');
    expect(readdirSync(root)).toEqual([]);
  });

  test('is built once by several processes that start together', async () => {
    const folder = temporaryFolder();
    const [root, log] = [path.join(folder, 'cache'), path.join(folder, 'log')];
    const run = promisify(execFile);
    await Promise.all(
      Array.from({ length: 5 }, async () => await run(process.execPath, [builder, root, log])),
    );
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(readdirSync(root)).toHaveLength(1);
  });

  test('is built by the next process if its builder was killed, which leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const [root, log] = [path.join(folder, 'cache'), path.join(folder, 'log')];
    const child = spawn(process.execPath, [builder, root, log, 'hang'], { stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    await eventually(() => existsSync(log) && readFileSync(log, 'utf8').endsWith('\n'));
    child.kill('SIGKILL');
    await gone;
    await promisify(execFile)(process.execPath, [builder, root, log]);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2);
    const [made = '', ...others] = readdirSync(root);
    expect(others).toEqual([]);
    expect(readFileSync(path.join(root, made, 'part'), 'utf8')).toBe('whole');
  });
});
