import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 100;

/**
 * Run `work` while holding a lock file. The file names its owner's process; a lock whose owner is gone is taken over, so
 * a killed process blocks nobody.
 */
export async function withFileLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  while (!(await tryLock(file))) await sleep(pollMs);
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function tryLock(file: string): Promise<boolean> {
  if (await claim(file)) return true;
  const owner = await ownerOf(file);
  if (owner !== undefined && !isAlive(owner)) await takeAway(file, owner);
  return false;
}

/** The lock appears with its owner's name in it or not at all: an empty one would belong to nobody and block everybody. */
async function claim(file: string): Promise<boolean> {
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(draft, String(process.pid), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Of several that see the dead owner, only one can rename its lock; a lock that is no longer the dead one goes back. */
async function takeAway(file: string, dead: number): Promise<void> {
  const stale = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await rename(file, stale);
  } catch {
    return;
  }
  if ((await ownerOf(stale)) !== dead) await link(stale, file).catch(() => undefined);
  await rm(stale, { force: true });
}

/** Undefined when the lock has just gone. A text that is no process number belongs to nobody: 0 is never alive. */
async function ownerOf(file: string): Promise<number | undefined> {
  try {
    return Number(await readFile(file, 'utf8')) || 0;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
