import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { EventBus } from '../../src/core/events.ts';
import type { RunEvent } from '../../src/shared/events.ts';

/** A journal whose batches become durable when the test says so. */
class SlowJournal {
  readonly batches: string[][] = [];
  readonly #waiting: { resolve: (last: number) => void; reject: (error: Error) => void; last: number }[] = [];
  #last = 0;

  async append(events: readonly RunEvent[]): Promise<number> {
    this.batches.push(events.map(textOf));
    this.#last += events.length;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.push({ resolve, reject, last: this.#last });
    return await promise;
  }

  async succeed(): Promise<void> {
    const batch = this.#waiting.shift();
    batch?.resolve(batch.last);
    await setImmediate();
  }

  async fail(): Promise<void> {
    this.#waiting.shift()?.reject(new Error('the disk is full'));
    await setImmediate();
  }
}

const textOf = (event: RunEvent): string => (event.type === 'note' ? event.text : event.type);

function busOf(journal: SlowJournal): { bus: EventBus; told: string[]; note: (text: string) => void } {
  const bus = new EventBus('run-1', systemClock, journal);
  const told: string[] = [];
  bus.listen((event) => told.push(`${event.seq} ${textOf(event)}`));
  return { bus, told, note: (text) => bus.emit('note', { level: 'info', text }) };
}

test('events are announced only when durable; events in between form the next batch', async () => {
  const journal = new SlowJournal();
  const { bus, told, note } = busOf(journal);
  note('a');
  note('b');
  await setImmediate();
  note('c');
  await setImmediate();
  // a turn of the loop is one batch, and one batch is written at a time
  expect(journal.batches).toEqual([['a', 'b']]);
  expect(told).toEqual([]);
  await journal.succeed();
  expect(told).toEqual(['1 a', '2 b']);
  expect(journal.batches).toEqual([['a', 'b'], ['c']]);
  let isFlushed = false;
  const flushed = bus.flush().then(() => (isFlushed = true));
  await setImmediate();
  expect(isFlushed).toBe(false);
  await journal.succeed();
  await flushed;
  expect(told).toEqual(['1 a', '2 b', '3 c']);
});

test('held events are written as one batch when released', async () => {
  const journal = new SlowJournal();
  const { bus, told, note } = busOf(journal);
  bus.hold();
  for (const text of ['a', 'b', 'c']) {
    note(text);
    await setImmediate();
  }
  expect(journal.batches).toEqual([]);
  const flushed = bus.flush();
  await setImmediate();
  expect(journal.batches).toEqual([['a', 'b', 'c']]);
  await journal.succeed();
  await flushed;
  expect(told).toEqual(['1 a', '2 b', '3 c']);
});

test('when the journal fails, listeners do not receive the lost events, the owner is notified once, and nothing more is accepted', async () => {
  const journal = new SlowJournal();
  const { bus, told, note } = busOf(journal);
  const failures: string[] = [];
  bus.onFailure(({ message }) => failures.push(message));
  note('kept');
  await setImmediate();
  note('lost');
  await journal.succeed();
  note('lost too');
  await journal.fail();
  await setImmediate();
  expect(told).toEqual(['1 kept']);
  expect(journal.batches).toEqual([['kept'], ['lost']]);
  expect(failures).toEqual(['the disk is full']);
  expect(() => note('later')).toThrow('the disk is full');
  await expect(bus.flush()).rejects.toThrow('the disk is full');
});

test('a listener that throws affects neither the run nor other listeners', async () => {
  const journal = new SlowJournal();
  const { bus, told, note } = busOf(journal);
  const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
  bus.listen(() => {
    throw new Error('a broken page');
  });
  const after: string[] = [];
  bus.listen((event) => after.push(textOf(event)));
  note('a');
  await setImmediate();
  await journal.succeed();
  expect([told, after]).toEqual([['1 a'], ['a']]);
  expect((await warned).message).toBe('a broken page');
});
