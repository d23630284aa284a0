import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { openLedger } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { run } from '../../helpers/orch.ts';
import { Story } from '../ledger/story.ts';

const writer = fileURLToPath(new URL('../../fixtures/ledger-writer.ts', import.meta.url));

test('a concurrent reader sees complete events, in order', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  await (await openLedger(file, { clock: systemClock })).close();
  const writing = run(process.execPath, [writer, file, 'run-1', '200']);
  const seen: number[] = [];
  const state = { isDone: false };
  void writing.then(() => (state.isDone = true));
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  while (!state.isDone) {
    const events = await ledger.journal.eventsSince(seen.at(-1) ?? 0, 10_000);
    seen.push(...events.flatMap(({ seq }) => seq ?? []));
    const [current] = await ledger.views.runs(1);
    if (current) expect(current.goals_total).toBeLessThanOrEqual(200);
    expect(await ledger.verify()).toEqual([]);
  }
  expect(await writing).toMatchObject({ code: 0, stderr: '' });
  const rest = await ledger.journal.eventsSince(seen.at(-1) ?? 0, 10_000);
  seen.push(...rest.flatMap(({ seq }) => seq ?? []));
  expect(seen).toEqual(Array.from({ length: 1 + 200 * 11 }, (_, index) => index + 1));
  expect(await ledger.views.runs(1)).toMatchObject([{ goals_total: 200, goals_solved: 200 }]);
});

test('writers in several processes, and one that opens at the same moment, lose no events', async () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const writing = ['run-1', 'run-2', 'run-3'].map(
    async (name) => await run(process.execPath, [writer, file, name, '30']),
  );
  for (const { code, stderr } of await Promise.all(writing))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await using ledger = await openLedger(file, { clock: systemClock });
  expect(await ledger.journal.eventsSince(0, 10_000)).toHaveLength(3 * (1 + 30 * 11));
  expect(await ledger.verify()).toEqual([]);
  await ledger.journal.append([new Story('run-4').begin().events[0] as never]);
  expect(await ledger.views.runs(9)).toHaveLength(4);
});
