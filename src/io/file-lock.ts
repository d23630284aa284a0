import { codeOf } from '../core/errors.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolders } from '../core/folders.ts';
import type { Owner } from '../core/owner.ts';
import { heartbeatMs, lives, thisProcess } from './owner.ts';

const pollMs = 100;

/**
 * Run `work` while holding a lock file. The file names its owner; a lock whose owner is dead is taken over, so
 * a killed process blocks no other; a live owner keeps its lock, however long it works.
 */
export async function withFileLock<Value>(file: string, work: () => Promise<Value>): Promise<Value> {
  const text = ourselves();
  while (!(await tryLock(file, text))) await sleep(pollMs);
  return await holding(file, text, work);
}

/** Like `withFileLock` without waiting: undefined if another live process holds the lock. */
export async function withFreeFileLock<Value>(
  file: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value } | undefined> {
  const text = ourselves();
  // the first try removes a dead owner's lock, the second one takes the lock
  if (!(await tryLock(file, text)) && !(await tryLock(file, text))) return undefined;
  return { value: await holding(file, text, work) };
}

/** Makes a file unless it exists. Of several processes that need it, one makes it while the others wait. */
export async function makeOnce(file: string, make: () => Promise<void>): Promise<void> {
  if (existsSync(file)) return;
  makeFolders(path.dirname(file));
  await withFileLock(`${file}.lock`, async () => {
    if (!existsSync(file)) await make();
  });
}

async function holding<Value>(file: string, text: string, work: () => Promise<Value>): Promise<Value> {
  const heartbeat = setInterval(() => void touch(file, text), heartbeatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await readLock(file))?.text === text) await rm(file, { force: true });
  }
}

/** The number distinguishes locks of the same process. */
function ourselves(): string {
  return JSON.stringify({ ...thisProcess(), lock: randomBytes(8).toString('hex') });
}

/** The lock file appears together with its owner's name: an empty one would have no owner and block everyone. */
async function tryLock(file: string, text: string): Promise<boolean> {
  const draft = besides(file);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // the file system's time: the draft was written just now
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
  return owner !== undefined && lives(owner, now - touchedMs);
}

/** Malformed text has no owner. Text with fewer fields is from another version of orch: only its heartbeat shows whether it is alive. */
function ownerOf(text: string): Owner | undefined {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    if (typeof value?.pid !== 'number' || value.pid <= 0) return undefined;
    return { place: value.place ?? '', pid: value.pid, started: value.started ?? '' };
  } catch {
    return undefined;
  }
}

/** If several processes see the dead owner, only one can rename its lock; a lock that has changed hands meanwhile is put back. */
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
