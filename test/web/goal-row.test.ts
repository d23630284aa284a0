import { expect, test } from 'vitest';
import { rowAfter } from '../../web/data/goal-row.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { twoRuns } from './stories.ts';

test('the dashboard derives the same goal rows from events as the ledger', async () => {
  const events = twoRuns().filter(({ run }) => run === 'newer');
  const added = events.findLastIndex(({ type }) => type === 'goal-added') + 1;
  const { ledger } = await temporaryLedger();
  await ledger.journal.append(events.slice(0, added));
  const before = await ledger.views.goalList('newer');
  await ledger.journal.append(events.slice(added));
  const after = before.map((row) =>
    events
      .slice(added)
      .filter((event) => 'goal' in event && event.goal === row.goal)
      .reduce(rowAfter, row),
  );
  const shown = ({
    goal,
    status,
    until,
    ticket,
    attempts,
    reason,
    latest_error,
    latest,
  }: (typeof after)[0]): object => ({
    goal,
    status,
    until: until && Math.trunc(until),
    ticket,
    attempts,
    reason,
    latest_error,
    latest,
  });
  expect(after.map(shown)).toEqual((await ledger.views.goalList('newer')).map(shown));
  for (const [index, { cpu_seconds, difficulty, priority }] of (
    await ledger.views.goalList('newer')
  ).entries()) {
    expect(after[index]?.cpu_seconds).toBeCloseTo(cpu_seconds, 9);
    expect(after[index]).toMatchObject({ difficulty, priority });
  }
});
