import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/store/open.ts';
import type { PostgresServer } from '../../helpers/postgres.ts';
import { wholeRun } from '../conformance/open.ts';
import { HandClock, type Temporary } from '../ledger/temporary.ts';
import { start, Story } from '../ledger/story.ts';

/** Tests that need a database server: several writers, lost connections, followers, and the commands for them. */
export function upkeepWorks(
  open: (events?: Story['events']) => Promise<Temporary>,
  server: () => Promise<PostgresServer>,
): void {
  describe('maintenance', () => {
    test('concurrent writers leave no gap, and a reader misses nothing', async () => {
      const { file, ledger } = await open();
      const second = await openLedger(file, { clock: new HandClock() });
      onTestFinished(async () => await second.close());
      const seen: number[] = [];
      const write = async (writer: typeof ledger, name: string): Promise<void> => {
        for (let index = 0; index < 15; index++) {
          await writer.journal.append(new Story(`${name}-${index}`).begin().add('g').events);
          const news = await ledger.journal.eventsSince(seen.at(-1) ?? 0, 100);
          if (writer === ledger) seen.push(...news.map(({ seq }) => seq ?? 0));
        }
      };
      await Promise.all([write(ledger, 'one'), write(second, 'two')]);
      seen.push(...(await ledger.journal.eventsSince(seen.at(-1) ?? 0, 100)).map(({ seq }) => seq ?? 0));
      expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
      expect(await ledger.verify()).toEqual([]);
    });

    test('concurrent batches are written in order', async () => {
      const { ledger } = await open();
      const given = Array.from({ length: 20 }, (_, index) => new Story(`run-${index}`).begin().events);
      const last = await Promise.all(given.map(async (events) => await ledger.journal.append(events)));
      expect(last).toEqual(given.map((_, index) => index + 1));
    });

    test('a batch whose answer was lost is not written twice', async () => {
      const { file, ledger } = await open();
      const cutter = new pg.Client(file);
      await cutter.connect();
      const cut = async (): Promise<void> =>
        void (await cutter.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ));
      for (let index = 0; index < 12; index++) {
        const appended = ledger.journal.append(new Story(`run-${index}`).begin().add('g').events);
        await sleep(index % 4);
        await cut();
        expect(await appended).toBe(2 * (index + 1));
      }
      await cutter.end();
      expect(await ledger.journal.lastSeq()).toBe(24);
      expect(await ledger.verify()).toEqual([]);
    });

    test('followers receive what others append', async () => {
      const { file, ledger } = await open();
      const reader = await openLedger(file, { clock: new HandClock(), readOnly: true });
      onTestFinished(async () => await reader.close());
      const heard = Promise.withResolvers<void>();
      const unfollow = await reader.journal.follow?.(heard.resolve);
      await ledger.journal.append(new Story().begin().events);
      await heard.promise;
      await unfollow?.();
      await expect(reader.journal.append(new Story('no').begin().events)).rejects.toThrow('read-only');
    });

    test('text that PostgreSQL cannot hold is replaced, and nothing is refused for it', async () => {
      const { ledger } = await open(new Story().begin().add('g1').events);
      const error = 'nul \0, half \ud800, and \\u0000 in words';
      await ledger.journal.append(new Story().finishAttempt('a1', 'g1', { error }).events);
      const goal = await ledger.views.goal('run-1', 'g1');
      expect(goal?.latest_error).toBe('nul \ufffd, half \ufffd, and \\u0000 in words');
    });

    test('pruning removes only samples, and reports it', async () => {
      const story = new Story().begin().add('g1');
      for (let index = 0; index < 20; index++) story.sample();
      const { file, clock, ledger } = await open(story.events);
      clock.at = start + 30 * 86_400_000;
      const { removed } = await ledger.prune();
      expect(removed).toBeGreaterThan(15);
      const again = await openLedger(file, { clock });
      onTestFinished(async () => await again.close());
      expect(await again.verify()).toEqual([]);
      expect(await again.views.lastSampleOf('run-1')).toBeDefined();
      const client = new pg.Client(file);
      await client.connect();
      for (const sql of ['DELETE FROM events', 'UPDATE events SET run = run'])
        await expect(client.query(sql)).rejects.toThrow('only grows');
      await client.query("SET orch.prunes = 'samples'");
      await expect(client.query("DELETE FROM events WHERE type = 'run-started'")).rejects.toThrow(
        'only grows',
      );
      await client.end();
    });

    test('wrong statistics are detected, and repaired by a rebuild', async () => {
      const { file, ledger } = await open(wholeRun().events);
      const client = new pg.Client(file);
      await client.connect();
      await client.query('UPDATE arm_records SET mean = mean * 2');
      await client.end();
      expect(await ledger.verify()).toEqual([expect.stringMatching(/^arm_records has \d+ wrong rows/)]);
      await ledger.rebuild();
      expect(await ledger.verify()).toEqual([]);
    });

    test('a foreign, newer or missing database is refused with a reason', async () => {
      const clock = new HandClock();
      const other = await (await server()).database();
      const client = new pg.Client(other);
      await client.connect();
      await expect(openLedger(other, { clock, readOnly: true })).rejects.toThrow('nothing has been run yet');
      await client.query('CREATE TABLE theirs (one integer)');
      await expect(openLedger(other, { clock })).rejects.toThrow('a database of another program');
      await client.query('DROP TABLE theirs');
      await (await openLedger(other, { clock })).close();
      await client.query('UPDATE ledger SET version = 999');
      await client.end();
      await expect(openLedger(other, { clock })).rejects.toThrow('written by a newer orch');
      await expect(
        openLedger('postgres://me:secret@127.0.0.1:1/x', { clock, patienceMs: 300 }),
      ).rejects.toThrow(/^the ledger postgres:\/\/me@127.0.0.1:1\/x cannot be reached/);
    });
  });
}
