import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeOnce, withFileLock } from '../../src/io/file-lock.ts';
import { lives, thisProcess } from '../../src/io/owner.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** The number of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 0;
}

/** A process of this machine with a start time at which no process started. */
const ownedBy = (pid: number, more: object = {}): string =>
  JSON.stringify({ ...thisProcess(), pid, started: '1', lock: '0', ...more });

/** Whether the lock is still there, untouched, after someone has tried for it several times. */
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
  test('admits one caller at a time', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from(
        { length: 4 },
        async () =>
          await withFileLock(file, async () => {
            most = Math.max(most, ++inside);
            expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(thisProcess());
            await sleep(5);
            inside--;
          }),
      ),
    );
    expect(most).toBe(1);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('is released when the work throws', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    await expect(withFileLock(file, async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(file)).toBe(false);
  });

  test('takes the lock of a dead owner', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(await deadPid()));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('several processes that find a dead owner get the lock one at a time', async () => {
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

  test('takes the lock if the owner’s process number belongs to another program', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(process.ppid));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });

  test('a lock of another machine is valid while it is touched, and no longer', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(1, { place: 'elsewhere' }));
    expect(await isRespected(file)).toBe(true);
    writeFileSync(file, ownedBy(1, { place: 'elsewhere' }));
    utimesSync(file, new Date(0), new Date(0));
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });

  test('a live owner keeps its lock, however long it is silent', async () => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, ownedBy(process.pid, thisProcess()));
    utimesSync(file, new Date(0), new Date(0));
    expect(await isRespected(file)).toBe(true);
  });

  test.each(['', 'not a number'])('takes a lock without an owner (%j)', async (content) => {
    const file = path.join(temporaryFolder(), 'lock');
    writeFileSync(file, content);
    expect(await withFileLock(file, async () => await Promise.resolve('in'))).toBe('in');
  });
});

describe('the owner of a run or a lock', () => {
  const minuteMs = 61_000;

  test('lasts as long as its process, even without heartbeats', async () => {
    const here = thisProcess();
    expect(lives(here, 100 * minuteMs)).toBe(true);
    expect(lives({ ...here, pid: await deadPid() }, 0)).toBe(false);
    expect(lives({ ...here, started: '1' }, 0)).toBe(false); // its process id now belongs to another process
  });

  test('on another machine is judged by its heartbeat alone', () => {
    const there = { ...thisProcess(), place: 'elsewhere' };
    expect(lives(there, 0)).toBe(true);
    expect(lives(there, minuteMs)).toBe(false);
  });
});

test('if several processes need a file, one makes it and the others wait', async () => {
  const file = path.join(temporaryFolder(), 'new', 'file');
  let made = 0;
  const make = async (): Promise<void> => {
    made++;
    await sleep(50);
    writeFileSync(file, 'whole');
  };
  await Promise.all([makeOnce(file, make), makeOnce(file, make), makeOnce(file, make)]);
  expect(made).toBe(1);
  expect(readdirSync(path.dirname(file))).toEqual(['file']);
});
