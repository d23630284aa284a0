import { readFile, rename, rm, writeFile } from 'node:fs/promises';
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
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(file, 'utf8').catch(() => ''));
  if (owner > 0 && !isAlive(owner)) await takeAway(file);
  return false;
}

/** Of several that see the dead owner, only one can rename its lock. */
async function takeAway(file: string): Promise<void> {
  const stale = `${file}.${process.pid}`;
  await rename(file, stale).catch(() => undefined);
  await rm(stale, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
