import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStart } from './process-usage.ts';

const pollMs = 100;
/** The owner touches its lock this often, */
const heartbeatMs = 5000;
/** and where nothing better tells whether it lives, a lock that nobody has touched for so long is nobody's. */
const silenceMs = 120_000;

/**
 * Who holds a lock. A process number alone names nobody for long: numbers are used again. With the time at which the
 * process began it is one process of this machine for ever.
 */
interface Owner {
  readonly pid: number;
  /** Unknown on a system that does not tell (macOS); then the heartbeat decides. */
  readonly started?: string;
  readonly host: string;
  /** Tells two locks of one process apart. */
  readonly lock: string;
}

/**
 * Run `work` while holding a lock file. The file names its owner; a lock whose owner is gone is taken over, so a killed
 * process blocks nobody, and one whose owner lives is never taken over, however long it works.
 */
export async function withFileLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const text = JSON.stringify(ourselves());
  while (!(await tryLock(file, text))) await sleep(pollMs);
  const heartbeat = setInterval(() => void touch(file, text), heartbeatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readLock(file))?.text === text) await rm(file, { force: true });
  }
}

function ourselves(): Owner {
  const started = processStart(process.pid);
  return {
    pid: process.pid,
    ...(started !== undefined && { started }),
    host: os.hostname(),
    lock: randomBytes(8).toString('hex'),
  };
}

/** The lock appears with its owner's name in it or not at all: an empty one would belong to nobody and block everybody. */
async function tryLock(file: string, text: string): Promise<boolean> {
  const draft = besides(file);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // the time by the clock of whoever keeps the files: the draft was written just now
    const { mtimeMs: now } = await stat(draft);
    const found = await readLock(file);
    if (found !== undefined && !isHeld(found, now)) await takeAway(file, found.text);
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

interface Lock {
  readonly text: string;
  readonly touchedMs: number;
}

/** Undefined when the lock has just gone. */
async function readLock(file: string): Promise<Lock | undefined> {
  try {
    return { text: await readFile(file, 'utf8'), touchedMs: (await stat(file)).mtimeMs };
  } catch {
    return undefined;
  }
}

function isHeld({ text, touchedMs }: Lock, now: number): boolean {
  const owner = ownerOf(text);
  if (owner === undefined) return false;
  const isSilent = now - touchedMs > silenceMs;
  if (owner.host !== os.hostname()) return !isSilent;
  const started = processStart(owner.pid);
  if (owner.started !== undefined && started !== undefined) return owner.started === started;
  return isAlive(owner.pid) && !isSilent;
}

/** A text that is no owner belongs to nobody. */
function ownerOf(text: string): Owner | undefined {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    if (typeof value?.pid !== 'number' || value.pid <= 0 || typeof value.host !== 'string') return undefined;
    return value as Owner;
  } catch {
    return undefined;
  }
}

/** Of several that see the dead owner, only one can rename its lock; a lock that is no longer the dead one goes back. */
async function takeAway(file: string, dead: string): Promise<void> {
  const stale = besides(file);
  try {
    await rename(file, stale);
  } catch {
    return;
  }
  if ((await readLock(stale))?.text !== dead) await link(stale, file).catch(() => undefined);
  await rm(stale, { force: true });
}

async function touch(file: string, text: string): Promise<void> {
  if ((await readLock(file))?.text !== text) return;
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}

const besides = (file: string): string => `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
