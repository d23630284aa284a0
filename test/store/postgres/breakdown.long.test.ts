import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/store/open.ts';
import { GoalQueue } from '../../../src/store/queue/queue.ts';
import { WorkerQueue } from '../../../src/store/queue/worker-queue.ts';
import { PostgresServer } from '../../helpers/postgres.ts';
import { shareWorkers } from '../../helpers/shared-workers.ts';
import { factorGround } from '../../remote/factors.ts';
import { HandClock } from '../ledger/temporary.ts';
import { Story } from '../ledger/story.ts';

/** A server of one test, which it may kill; it writes to the disk as a real one does. */
async function ownServer(): Promise<PostgresServer> {
  const server = new PostgresServer(['max_connections=40']);
  const unshare = shareWorkers(() => server.pids);
  onTestFinished(async () => {
    await server.remove();
    unshare();
  });
  await server.start();
  return server;
}

describe('failures', () => {
  test('a server that is killed repeatedly loses no appended event and stores none twice', async () => {
    const server = await ownServer();
    const ledger = await openLedger(await server.database(), { clock: new HandClock() });
    const over = new AbortController();
    const breaking = (async () => {
      for (let kills = 0; kills < 5; kills++) {
        await sleep(300 + 100 * kills);
        await server.stop('SIGKILL');
        await server.start();
      }
      over.abort();
    })();
    let count = 0;
    while (!over.signal.aborted)
      expect(await ledger.journal.append(new Story(`run-${count++}`).begin().add('g').events)).toBe(
        2 * count,
      );
    await breaking;
    expect(await ledger.journal.lastSeq()).toBe(2 * count);
    expect(await ledger.verify()).toEqual([]);
    await ledger.close();
  });

  test('a worker that stops responding loses its goals to others, even without a run', async () => {
    const server = await ownServer();
    const url = await server.database();
    const ledger = await openLedger(url, { clock: new HandClock() });
    const coordinator = await GoalQueue.open(url, () => undefined);
    const queue = await coordinator.want(factorGround);
    await coordinator.send(queue, 'run/a/1', {});
    await coordinator.close();
    const [silent, other] = [await WorkerQueue.open(url), await WorkerQueue.open(url)];
    const [lost] = await silent.claim(queue, 1);
    const claimed = async (): Promise<string[]> => {
      await other.offer('other', [queue]);
      return (await other.claim(queue, 1)).map(({ job }) => job);
    };
    await expect.poll(claimed, { interval: 500 }).toEqual(['run/a/1']);
    expect(lost?.job).toBe('run/a/1');
    for (const each of [silent, other, ledger]) await each.close();
  });
});
