import { afterAll, afterEach, expect } from 'vitest';
import { leanCacheFolder, settingsFrom } from '../../src/app.ts';
import { sharedWorkers } from './lean.ts';
import { descendantsOf, runningProcesses } from './processes.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * No test may leave a process alive: neither one below the test's own process, nor a Lean worker that has lost its parent.
 * The workers of a pool that a whole file shares may stay until the file ends.
 */
const cacheFolder = leanCacheFolder(settingsFrom());
/** A killed process takes a moment to go, on a loaded machine a long one. */
const polls = 400;
const pollMs = 50;

afterEach(async () => {
  expect(await leftovers(() => sharedWorkers())).toEqual([]);
});

// Hooks of a set-up file run last, so the file's own pools are closed here.
afterAll(async () => {
  expect(await leftovers(() => new Set())).toEqual([]);
});

async function leftovers(spared: () => ReadonlySet<number>): Promise<string[]> {
  for (let poll = 0; ; poll++) {
    const all = runningProcesses();
    const orphans = all.filter(({ parent, command }) => parent === 1 && command.includes(cacheFolder));
    const left = [...descendantsOf(process.pid, all), ...orphans].filter(({ pid }) => !spared().has(pid));
    if (left.length === 0 || poll === polls) return left.map(({ pid, command }) => `${pid} ${command}`);
    await sleep(pollMs);
  }
}
