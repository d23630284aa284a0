import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { lives } from '../../../src/io/owner.ts';
import { openLedger } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { eventually } from '../../helpers/processes.ts';

const adder = fileURLToPath(new URL('../../fixtures/goal-adder.ts', import.meta.url));
const goals = 5000;

test('kill -9 while goals are added leaves the run with all of them or none', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  await (await openLedger(file, { clock: systemClock })).close();
  // a transaction of this size goes to the disk while it is being made: the file that grows says how far it has come
  for (const megabytes of [0.2, 1.5]) {
    const run = `killed-${megabytes}`;
    const told = await killed(file, run, () => writtenBytes(file) > megabytes * 1e6);
    await using ledger = await openLedger(file, { clock: systemClock });
    const added = (await ledger.experience.openGoals(run)).length;
    // on a slow machine it may already be complete, and then everything is there
    expect([0, goals]).toContain(added);
    if (told) expect(added).toBe(goals);
    // a run that came this far has also started attempts, so later events are not counted
    const written = (await ledger.journal.eventsOf(run)).map(({ type }) => type);
    const beginning = added === 0 ? [] : ['run-started', ...Array<string>(added).fill('goal-added')];
    expect(written.slice(0, 1 + goals)).toEqual(beginning);
    expect(await ledger.verify()).toEqual([]);
  }

  const state = { isTold: false };
  await killed(file, 'begun', () => state.isTold, state);
  await using ledger = await openLedger(file, { clock: systemClock });
  const begun = (await ledger.experience.unfinishedRuns()).find(({ run }) => run === 'begun');
  expect(begun).toMatchObject({ openGoals: goals, reason: null });
  expect(begun?.owner && lives(begun.owner, 0)).toBe(false);
});

/** Whether it had received its own first event before it was killed. */
async function killed(
  file: string,
  run: string,
  isTime: () => boolean,
  state = { isTold: false },
): Promise<boolean> {
  const child = spawn(process.execPath, [adder, file, run, String(goals)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.stdout.on('data', () => (state.isTold = true));
  await eventually(isTime, 1);
  child.kill('SIGKILL');
  await closed;
  return state.isTold;
}

function writtenBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
