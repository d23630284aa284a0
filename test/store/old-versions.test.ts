import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { copyLedger } from '../../src/store/ledger/copy.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { openLedger } from '../../src/store/open.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { sharedPostgres } from '../helpers/postgres.ts';
import { oldEvents, oldPostgres, oldSqlite } from './old-ledgers.ts';

/**
 * Ledgers that earlier versions wrote, each with a finished run and one that was killed. They open, hold the same events, and derive to the
 * same tables as when the events are written again.
 */
describe.for(['0.1.0'])('a ledger of orch %s', (version) => {
  test('in SQLite opens and passes verification', async () => {
    await using ledger = await openLedger(oldSqlite(version, temporaryFolder()), { clock: systemClock });
    await holds(ledger, oldEvents(version, 'sqlite'));
  });

  test('is upgraded by the first command that opens it, even one that only reads', async () => {
    for (const [command, code] of [
      ['stats', 0],
      ['resume no-such-run', 2],
    ] as const) {
      const cwd = temporaryFolder();
      const asked = [...command.split(' '), '--ledger', oldSqlite(version, cwd)];
      expect(await orchHere(asked, { cwd })).toMatchObject({
        code,
        stderr: expect.not.stringContaining('older'),
      });
    }
  });

  test('in PostgreSQL opens and passes verification', async () => {
    const url = await (await sharedPostgres()).database();
    await oldPostgres(version, url);
    await using ledger = await openLedger(url, { clock: systemClock });
    await holds(ledger, oldEvents(version, 'postgres'));
  });
});

async function holds(ledger: Ledger, events: readonly RunEvent[]): Promise<void> {
  expect(await ledger.journal.eventsSince(0, events.length + 1)).toEqual(events);
  expect(await ledger.verify()).toEqual([]);
  const unfinished = await ledger.experience.unfinishedRuns();
  const interrupted = unfinished.find(({ command }) => command === 'run');
  expect(interrupted).toMatchObject({ sources: ['more.jsonl'] });
  const open = await ledger.experience.openGoals(interrupted?.run ?? '');
  expect(open.map(({ goal }) => goal)).toEqual(['reverse', 'sum', 'square', 'power']);
  await using anew = await openLedger(path.join(temporaryFolder(), 'anew.db'), { clock: systemClock });
  expect(await copyLedger(ledger, anew)).toBe(events.length); // throws when a derived table differs
}
