import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { GoalStatus } from '../../src/shared/ledger.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { openLedger } from '../../src/store/open.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { PostgresServer } from '../helpers/postgres.ts';
import { SeededRandom } from '../helpers/random.ts';
import { shareWorkers } from '../helpers/shared-workers.ts';
import { aloneOf, factorGoals } from './factors.ts';
import { planOf, Siege } from './siege.ts';

const goals = 300;
const workers = 4;
/** Of six blows each. */
const rounds = 5;

/**
 * Cheap goals, so that the run mostly exercises dispatch: a real server, real processes and real engines, with seeded
 * failures.
 */
describe('a run on several machines with failures', () => {
  test.for([1, 2])(
    'loses nothing, closes no goal twice, and solves the same as one machine (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      // it writes to the disk like a real one, so that confirmed writes survive its crash
      const server = new PostgresServer(['max_connections=150']);
      const unshareServer = shareWorkers(() => server.pids);
      await server.start();
      const url = await server.database();
      await (await openLedger(url, { clock: systemClock })).close();
      const siege = new Siege(server, url, goals, random);
      const unshareSiege = shareWorkers(() => siege.pids);
      onTestFinished(async () => {
        await server.remove();
        unshareServer();
        unshareSiege();
      });

      siege.begin(workers);
      const plan = planOf(rounds, random);
      for (const [index, blow] of plan.entries()) {
        await siege.progress(Math.floor((goals * index) / (plan.length + 1)));
        await sleep(random.below(1000));
        await siege.strike(blow);
      }
      await siege.end();

      await using ledger = await openLedger(url, { clock: systemClock });
      const closed = await closedIn(ledger);
      expect([...closed].filter(([, statuses]) => statuses.length !== 1)).toEqual([]);
      expect(siege.told.filter((goal) => !closed.has(goal))).toEqual([]);
      expect(siege.told).toHaveLength(new Set(siege.told).size);
      const ends = new Map([...closed].map(([goal, [status]]) => [goal, status]));
      expect(ends).toEqual(await endsAlone());
      expect(await ledger.verify()).toEqual([]);
    },
  );
});

/** How each goal was closed, and how often, by whichever coordinator. */
async function closedIn(ledger: Ledger): Promise<Map<string, GoalStatus[]>> {
  const runs = await ledger.views.runs(10_000);
  const closed = new Map<string, GoalStatus[]>();
  for (const { run, command } of runs)
    if (command === 'coordinator')
      for (const event of await ledger.journal.eventsOf(run))
        if (event.type === 'goal-closed')
          closed.set(event.goal, [
            ...(closed.get(event.goal) ?? []),
            event.solved ? 'solved' : event.refuted === null ? 'unsolved' : 'refuted',
          ]);
  return closed;
}

/** The same goals in one process, on SQLite. */
async function endsAlone(): Promise<Map<string, GoalStatus>> {
  await using ledger = await openLedger(path.join(temporaryFolder(), 'ledger.db'), { clock: systemClock });
  const engine = aloneOf({ run: 'alone', ledger, clock: systemClock, slots: 100 });
  for (const goal of factorGoals(goals)) engine.add(goal);
  await engine.run();
  return new Map((await ledger.views.goalsOf('alone')).map(({ goal, status }) => [goal, status]));
}
