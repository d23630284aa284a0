import { expect, test } from 'vitest';
import { GoalShelf } from '../../src/server/goal-shelf.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { recordedRuns } from '../web/recorded.ts';

test('goals updated by events equal goals read from the ledger', async () => {
  const { ledger } = await temporaryLedger();
  const shelf = new GoalShelf();
  expect(await shelf.rowsOf(ledger, 'latest')).toEqual({ seq: 0, run: null, rows: [] });
  const events = recordedRuns();
  for (let from = 0; from < events.length; from += 7) {
    await ledger.journal.append(events.slice(from, from + 7));
    const { run, rows, seq } = await shelf.rowsOf(ledger, 'latest');
    expect(seq).toBe(await ledger.journal.lastSeq());
    expect(rows).toEqual(await ledger.views.goalList(run ?? ''));
  }
  const [older] = (await ledger.views.runs(2)).slice(1);
  const one = await shelf.rowsOf(ledger, older?.run ?? '');
  expect(one.rows.length).toBeGreaterThan(10);
  // nothing has changed, so no new sort is needed
  expect((await shelf.rowsOf(ledger, older?.run ?? '')).rows).toBe(one.rows);
  await expect(shelf.rowsOf(ledger, 'no-such-run')).rejects.toThrow('there is no run no-such-run');
});
