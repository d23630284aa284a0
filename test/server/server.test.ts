import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { startDashboard } from '../../src/server/server.ts';
import { openLedger } from '../../src/store/open.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { start, Story } from '../store/ledger/story.ts';
import { smallPage, token } from './started.ts';

const options = () => ({
  ledger: path.join(temporaryFolder(), 'ledger.db'),
  port: 0,
  token,
  clock: systemClock,
  pageFolder: smallPage(),
});

test('a dashboard may start before the first run; it listens on loopback and prints its URL', async () => {
  const its = options();
  await using dashboard = await startDashboard(its);
  expect(dashboard.url).toBe(`http://127.0.0.1:${dashboard.port}/?token=${token}`);
  expect((await fetch(dashboard.url)).status).toBe(200);
  const runs = async (): Promise<unknown> =>
    await (await fetch(`http://127.0.0.1:${dashboard.port}/api/runs`)).json();
  expect(await runs()).toEqual({ runs: [] });
  expect(existsSync(its.ledger)).toBe(false); // it only reads: a run creates the ledger
  await using ledger = await openLedger(its.ledger, { clock: systemClock });
  await ledger.journal.append(new Story('run-1', start).begin().events);
  // an answer is kept for a moment
  await expect.poll(runs).toMatchObject({ runs: [{ run: 'run-1' }] });
});

test('a port in use and a file that is not a ledger are reported in one line', async () => {
  await using first = await startDashboard(options());
  await expect(startDashboard({ ...options(), port: first.port })).rejects.toMatchObject({
    code: 'port',
    message: expect.stringContaining('another program is using it'),
  });
  const foreign = path.join(temporaryFolder(), 'notes.txt');
  writeFileSync(foreign, 'not a ledger');
  await expect(startDashboard({ ...options(), ledger: foreign })).rejects.toMatchObject({
    code: 'not-a-ledger',
  });
});
