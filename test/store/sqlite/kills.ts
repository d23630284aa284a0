import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openLedger } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import type { SeededRandom } from '../../helpers/random.ts';

const writer = fileURLToPath(new URL('../../fixtures/ledger-writer.ts', import.meta.url));
/** A ledger survives several kills, so that each writer finds the last one's data; then a new one, to test its first moments. */
const killsOfAFile = 4;

export async function surviveKills(kills: number, random: SeededRandom): Promise<void> {
  let file = '';
  let recorded: string[] = [];
  for (let kill = 0; kill < kills; kill++) {
    if (kill % killsOfAFile === 0) {
      file = path.join(temporaryFolder(), 'ledger.db');
      recorded = [];
    }
    recorded = await surviveKill(file, `run-${kill}`, recorded, random);
  }
}

/** Checks the file afterwards: it contains everything from before and at least everything the child reported. */
async function surviveKill(
  file: string,
  run: string,
  before: readonly string[],
  random: SeededRandom,
): Promise<string[]> {
  const reported = await killedWriter(file, run, random);
  if (!existsSync(file)) return []; // killed before it came that far
  await using ledger = await openLedger(file, { clock: systemClock });
  const events = (await ledger.journal.eventsSince(0, 1_000_000)).map(({ seq, type }) => `${seq} ${type}`);
  expect(events.slice(0, before.length + reported.length)).toEqual([...before, ...reported]);
  expect(events.length - before.length - reported.length).toBeLessThanOrEqual(1);
  expect(await ledger.verify()).toEqual([]);
  expect((await ledger.experience.inFlight(run)).length).toBeLessThanOrEqual(2);
  return events;
}

/** Half of them die while they write, half within the time that opening and the first events take. */
async function killedWriter(file: string, run: string, random: SeededRandom): Promise<string[]> {
  const child = spawn(process.execPath, [writer, file, run], { stdio: ['ignore', 'pipe', 'inherit'] });
  const enough = random.next() < 0.5 ? 1 + random.below(300) : 0;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (enough > 0 && output.split('\n').length > enough + 1) child.kill('SIGKILL');
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  if (enough === 0) {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sleep(random.below(60));
    child.kill('SIGKILL');
  }
  await closed;
  return output.split('\n').slice(1, -1); // after `ready`, whole lines
}
