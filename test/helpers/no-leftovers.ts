import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect } from 'vitest';
import { childrenOfThreads, descendantsOf, runningProcesses, type RunningProcess } from './processes.ts';
import { endShared, lastingWorkers, sharedWorkers } from './shared-workers.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * No test may leave a process alive: neither a descendant of the test's own process, nor a Lean worker that has lost
 * its parent. What a file shares may live until the file ends, what all files of a process share until the process
 * ends. Every test file loads this, so it imports little.
 */
const checkout = fileURLToPath(new URL('../../', import.meta.url));
/** The program of a worker, in a clone and in an installed package. */
const workerCode = '/toolchain/embedded/host/serve.';
/** A killed process may take long to disappear on a loaded machine. Only a leak waits for the full time. */
const polls = 1200;
const pollMs = 50;

afterEach(async () => {
  // listing all processes of the machine takes milliseconds, too much after each of some thousand tests
  const shared = sharedWorkers();
  if (childrenOfThreads()?.every((pid) => shared.has(pid))) return;
  expect(await leftovers(sharedWorkers)).toEqual([]);
});

// Hooks of a set-up file run last, so the file's own pools are closed here.
afterAll(async () => {
  await endShared();
  expect(await leftovers(lastingWorkers)).toEqual([]);
});

async function leftovers(spared: () => ReadonlySet<number>): Promise<string[]> {
  for (let poll = 0; ; poll++) {
    const all = runningProcesses();
    // a worker is a launcher with processes below it
    const stays = new Set(
      [...spared()].flatMap((pid) => [pid, ...descendantsOf(pid, all).map((one) => one.pid)]),
    );
    const left = [...descendantsOf(process.pid, all), ...all.filter((one) => isOrphan(one))].filter(
      ({ pid }) => !stays.has(pid),
    );
    if (left.length === 0 || poll === polls) return left.map(({ pid, command }) => `${pid} ${command}`);
    await sleep(pollMs);
  }
}

/** Of this checkout: others on the machine run tests and workers of their own. */
function isOrphan({ parent, command }: RunningProcess): boolean {
  return parent === 1 && command.includes(workerCode) && command.includes(checkout);
}
