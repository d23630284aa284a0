import { existsSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Sampling } from '../../../src/core/scheduler/sampling.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { connect } from '../../../src/store/sqlite/database.ts';
import { openLedger } from '../../../src/store/open.ts';
import { start, Story } from '../ledger/story.ts';
import { temporaryLedger } from '../ledger/temporary.ts';

const dayMs = 86_400_000;

function sampleAt(run: string, at: number): RunEvent {
  return { ...(new Story(run).sample().events[0] as RunEvent), at };
}

describe('prune', () => {
  /** A sample every 20 seconds for three hours: from 20 days ago, from 3 days ago, and from now. */
  const hours = [20, 3, 0].flatMap((days) =>
    Array.from({ length: 540 }, (_, index) => sampleAt('run-1', start - days * dayMs + index * 20_000)),
  );
  const events = [
    ...new Story('run-1').begin().add('g1').events,
    ...hours,
    ...new Story('run-1').finishAttempt('a1', 'g1').closeGoal('g1').events,
  ];

  test('thins old samples, reports how many, and leaves a ledger that verifies, rebuilds and works', async () => {
    const { file, ledger, clock } = await temporaryLedger(events);
    clock.at = start + 3 * 3_600_000;
    const cost = await ledger.views.cpuSeconds();
    const { removed, bytes } = await ledger.prune();
    expect(bytes.after).toBeLessThan(bytes.before);
    await using pruned = await openLedger(file, { clock });
    const kept = await pruned.journal.eventsSince(0, 10_000);
    // one in ten minutes, one a minute, all; the rest of the events as they were, under their numbers
    const samples = kept.filter(({ type }) => type === 'sample');
    expect(samples).toHaveLength(18 + 180 + 540);
    expect(removed).toBe(3 * 540 - samples.length);
    expect(kept.at(-1)).toMatchObject({ type: 'pruned', run: 'ledger', removed, seq: events.length + 1 });
    expect(kept.at(-2)).toMatchObject({ type: 'goal-closed', seq: events.length });
    expect(await pruned.views.cpuSeconds()).toBe(cost);
    expect(await pruned.verify()).toEqual([]);
    await pruned.rebuild();
    expect(await pruned.verify()).toEqual([]);
    expect(await pruned.journal.append(new Story('run-2').begin().events)).toBe(events.length + 2);
    for (const suffix of ['-journal', `.${process.pid}.tmp`]) expect(existsSync(file + suffix)).toBe(false);
  });

  test('a ledger in use is not pruned', async () => {
    const { file, ledger, clock } = await temporaryLedger(events);
    await using reader = await openLedger(file, { clock, readOnly: true });
    expect(await reader.journal.lastSeq()).toBe(events.length);
    await expect(ledger.prune()).rejects.toMatchObject({ code: 'ledger-busy' });
    expect(await reader.journal.lastSeq()).toBe(events.length);
    expect(await reader.verify()).toEqual([]);
  });
});

test('a day of idling adds less than a megabyte', async () => {
  const { file, ledger, clock } = await temporaryLedger(new Story().begin().add('g1').closeGoal('g1').events);
  const sampling = new Sampling();
  const worker = { pid: 1234, resident_bytes: 3e8, goal: null, arm: null };
  const [idle] = new Story().sample().events;
  const due: RunEvent[] = [];
  for (let second = 0; second < 86_400; second++) {
    clock.at = start + second * 1000;
    if (sampling.isDue(second < 10, clock.at))
      due.push({ ...idle, at: clock.at, workers: Array.from({ length: 8 }, () => worker) } as RunEvent);
    // each beat takes the place of the one before: one in forty seconds shows what one in two leaves
    if (second % 40 === 0) await ledger.journal.beat('run-1', { place: 'here', pid: 1, started: '2' });
  }
  for (const event of due) await ledger.journal.append([event]);
  expect(due).toHaveLength(10 + 288);
  expect(due.filter(({ at }) => at < start + 12_000)).toHaveLength(11); // the first idle one is there at once
  await ledger.close();
  expect(statSync(file).size).toBeLessThan(1_000_000);
});

test('a rebuild delays a concurrent writer only briefly, and misses none of its events', async () => {
  const story = new Story().begin();
  for (let index = 0; index < 300; index++)
    story.add(`g${index}`).examine(`g${index}`).finishAttempt(`a${index}`, `g${index}`);
  const { file, ledger, clock } = await temporaryLedger(story.events);
  await using writer = await openLedger(file, { clock });
  using other = connect(file, false);
  other.execute("DELETE FROM statistics; UPDATE goal_status SET status = 'parked'");
  const rebuilding = ledger.rebuild();
  // between the copy and its use someone writes on
  await writer.journal.append(new Story().add('late').examine('late').finishAttempt('b', 'late').events);
  await rebuilding;
  expect(await ledger.verify()).toEqual([]);
  expect(await ledger.views.arms(0)).toMatchObject([{ attempts: 301 }]);
});
