import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { withFileLock } from '../../src/io/file-lock.ts';
import { processStart } from '../../src/io/process-usage.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

const ownedBy = (pid: number, more: object = {}): string =>
  JSON.stringify({ pid, started: 'boot 1', host: os.hostname(), lock: '0', ...more });

/** Whether the lock is still there, untouched, after somebody has tried for it several times. */
async function isRespected(file: string): Promise<boolean> {
  let isIn = false;
  const entering = withFileLock(file, async () => await Promise.resolve((isIn = true)));
  await sleep(350);
  const wasRespected = !isIn;
  rmSync(file, { force: true });
  await entering;
  return wasRespected;
}

describe('withFileLock', () => {
  test('lets one in at a time', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from(
        { length: 4 },
        async () =>
          await withFileLock(file, async () => {
            most = Math.max(most, ++inside);
            expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
              pid: process.pid,
              host: os.hostname(),
            });
            await sleep(5);
            inside--;
          }),
      ),
    );
    expect(most).toBe(1);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('is given back when the work throws', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    await expect(withFileLock(file, async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  test('takes over from an owner that is dead', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(await deadPid()));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('of several that see the dead owner each gets in once, one at a time', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(await deadPid()));
    let inside = 0;
    let entered = 0;
    const enter = async (): Promise<void> => {
      expect(++inside).toBe(1);
      entered++;
      await sleep(20);
      inside--;
    };
    await Promise.all(Array.from({ length: 6 }, async () => await withFileLock(file, enter)));
    expect(entered).toBe(6);
  });

  test('takes over from a process whose number another program has now', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(process.ppid));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });

  test('a lock of another machine holds while it is touched, and no longer', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(1, { host: 'elsewhere' }));
    expect(await isRespected(file)).toBe(true);
    writeFileSync(file, ownedBy(1, { host: 'elsewhere' }));
    utimesSync(file, new Date(0), new Date(0));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });

  test('a living owner keeps its lock, however long it has been silent', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(process.pid, { started: processStart(process.pid) }));
    utimesSync(file, new Date(0), new Date(0));
    expect(await isRespected(file)).toBe(true);
  });

  test.each(['', 'not a number'])('takes over a lock that names nobody (%j)', async (content) => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, content);
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });
});
