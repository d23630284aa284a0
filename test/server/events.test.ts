import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { LedgerFile } from '../../src/server/ledger-file.ts';
import { liveStream } from '../../src/server/live.ts';
import { Tail } from '../../src/server/tail.ts';
import { openLedger } from '../../src/store/open.ts';
import type { Health } from '../../src/shared/api.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { start, Story } from '../store/ledger/story.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { listen, Listening } from './server-sent.ts';
import { started } from './started.ts';
import { hostileError, underWay } from './told.ts';

test('a listener receives an opening message at once, then the events', async () => {
  const story = underWay();
  const { port, ledger, get } = await started(story.events);
  const client = await listen(port);
  const last = story.events.length;
  expect(await client.next()).toMatchObject({ event: 'heartbeat', data: { seq: last } });
  expect(((await get('/api/health')).json() as Health).clients).toBe(1);
  await ledger.journal.append([
    { type: 'note', run: story.run, at: start, level: 'info', text: hostileError },
  ]);
  const message = await client.nextNews();
  expect(message).toMatchObject({ event: 'events', id: last + 1 });
  expect(message.data).toMatchObject([{ type: 'note', seq: last + 1, text: hostileError }]);
  await client.close();
  while (((await get('/api/health')).json() as Health).clients > 0);
});

test('a returning listener receives missed events once', async () => {
  const story = underWay();
  const { port, ledger } = await started(story.events);
  const last = story.events.length;
  for (const client of [
    await listen(port, '', last - 2),
    await listen(port, `?since=${last - 2}`),
    await listen(port, '?since=1', last - 2),
  ])
    expect((await client.events()).map(({ seq }) => seq)).toEqual([last - 1, last]);

  const client = await listen(port, '', last - 1);
  await ledger.journal.append([{ type: 'note', run: story.run, at: start, level: 'info', text: 'new' }]);
  const heard = [...(await client.events()), ...(await client.events())];
  expect(heard.map(({ seq }) => seq)).toEqual([last, last + 1]);
});

test('a listener that missed too much, or comes from another ledger, reloads everything', async () => {
  const story = new Story().begin();
  for (let index = 0; index < 6000; index++) story.tell('note', { level: 'info', text: String(index) });
  const { port, ledger } = await started([]);
  await ledger.journal.append([...story.events]);
  expect(await (await listen(port, '?since=1')).nextNews()).toMatchObject({
    event: 'reset',
    id: 6001,
    data: { seq: 6001 },
  });
  expect(await (await listen(port, '', 1_000_000)).nextNews()).toMatchObject({ event: 'reset', id: 6001 });
  expect(await (await listen(port, '?since=5999')).events()).toHaveLength(2);
});

test('many clients receive the same events, and a burst arrives in few messages', async () => {
  const story = underWay();
  const { port, ledger } = await started(story.events);
  const clients = await Promise.all(Array.from({ length: 20 }, async () => await listen(port)));
  const burst = new Story(story.run);
  for (let index = 0; index < 500; index++) burst.tell('note', { level: 'info', text: String(index) });
  await ledger.journal.append([...burst.events]);
  for (const client of clients) expect(await client.events()).toHaveLength(500);
});

test('the server does not wait for a client that does not read: it reloads everything later', async () => {
  const { file, ledger, clock } = await temporaryLedger(underWay().events);
  const source = await LedgerFile.open(file, clock);
  const tail = await Tail.open(source, (error) => expect.fail(String(error)));
  onTestFinished(async () => {
    await tail.close();
    await source.close();
  });
  const client = new Listening(liveStream({ ledger: source, tail, clock }, undefined));
  const text = 'x'.repeat(500_000);
  const note = async (): Promise<void> => {
    await ledger.journal.append([{ type: 'note', run: 'run-2', at: start, level: 'info', text }]);
    await tail.poll();
  };
  for (let index = 0; index < 20; index++) await note();
  expect((await client.next()).event).toBe('heartbeat');
  // 4 MiB are buffered for it: nine messages, of which the last does not fit
  const heard: RunEvent[] = [];
  for (let index = 0; index < 9; index++) heard.push(...(await client.events()));
  await note();
  const seq = underWay().events.length + 21;
  expect(heard).toHaveLength(9);
  expect(await client.nextNews()).toMatchObject({ event: 'reset', id: seq, data: { seq } });
  await note();
  expect((await client.events()).map((event) => event.seq)).toEqual([seq + 1]);
  await client.close();
  expect(tail.watched).toBe(0);
});

test('a ledger that is replaced by an empty one is noticed', async () => {
  const { port, file, ledger, get, clock } = await started(underWay().events);
  const client = await listen(port);
  await client.next();
  await ledger.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const second = await openLedger(file, { clock });
  try {
    expect(await client.nextNews()).toMatchObject({ event: 'reset', data: { seq: 0 } });
    await second.journal.append(new Story('run-9').begin().events);
    expect(await client.events()).toMatchObject([{ type: 'run-started', run: 'run-9', seq: 1 }]);
    clock.at += 1000;
    expect((await get('/api/stats')).json()).toMatchObject({ run: { run: 'run-9' } });
  } finally {
    await second.close();
  }
});
