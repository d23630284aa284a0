import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { EventBus } from '../../../src/core/events.ts';
import { Schedule } from '../../../src/core/scheduler/schedule.ts';
import { goalJson } from '../../../src/reporters/json.ts';
import { RunSoFar } from '../../../src/reporters/record.ts';
import type { GoalListRow } from '../../../src/shared/api.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { rowAfter } from '../../../web/data/goal-row.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';
import { division, engineOf, forgetful, patience, spent, strategyOf } from './factoring.ts';

const lie = async () => ({ kind: 'solved' as const, candidate: 7, ...spent });

/** Everything with a cost: goals that do not open, attempts, a recalled proof, a polished one. */
async function eventful(journal: EventBus): Promise<void> {
  const memory = { ...forgetful, provedBefore: async (hash: string) => (hash === '35' ? ['4', '7'] : []) };
  const { engine } = engineOf([strategyOf('micro', { lie, divide: division(50), wait: patience })], {
    bus: journal,
    memory,
  });
  for (const n of [15, 22, 35, 1.5, 13 * 17, 59]) engine.add({ n });
  setTimeout(() => engine.withdraw('factor 59', 'it is not wanted any more'), 100);
  await engine.run();
}

test('engine, ledger, JSON and dashboard report the same cost for a goal after every event', async () => {
  const { ledger } = await temporaryLedger();
  const schedule = new Schedule();
  const record = new RunSoFar();
  const page = new Map<string, GoalListRow>();
  let compared = 0;
  const compare = async (event: RunEvent): Promise<void> => {
    schedule.apply(event);
    record.apply(event);
    if (event.type === 'run-started') return;
    if (event.type === 'goal-added') {
      const row = (await ledger.views.goalList('run')).find(({ goal }) => goal === event.goal);
      if (row) page.set(event.goal, row);
    }
    const shown = 'goal' in event && event.goal !== null ? page.get(event.goal) : undefined;
    if (!shown || event.type === 'goal-added') return;
    page.set(shown.goal, rowAfter(shown, event));
    for (const { goal, cpu_seconds } of await ledger.views.goalList('run')) {
      compared++;
      expect(schedule.goal(goal).cpuSeconds).toBeCloseTo(cpu_seconds, 9);
      expect(page.get(goal)?.cpu_seconds).toBeCloseTo(cpu_seconds, 9);
      const told = record.goals.get(goal);
      if (told) expect(told.cpuSeconds).toBeCloseTo(cpu_seconds, 9);
      if (told?.closed) expect(goalJson(told.closed).cpu_seconds).toBeCloseTo(cpu_seconds, 9);
    }
  };
  const append = async (events: readonly RunEvent[]): Promise<number> => {
    for (const event of events) {
      await ledger.journal.append([event]);
      await compare(event);
    }
    return await ledger.journal.lastSeq();
  };
  await eventful(new EventBus('run', systemClock, { append }));
  expect(compared).toBeGreaterThan(100);
  const rows = await ledger.views.goalList('run');
  const costs = Object.fromEntries(rows.map(({ goal, cpu_seconds }) => [goal, cpu_seconds]));
  // an opening that failed, and: opening, the verdicts on what was remembered, which is not polished again
  expect(costs['factor 1.5']).toBeCloseTo(0.001, 9);
  expect(costs['factor 35']).toBeCloseTo(0.001 + 2 * 0.005, 9);
  for (const { goal_hash, cpu_seconds } of rows) {
    const history = goal_hash === null ? undefined : await ledger.experience.goalHistory(goal_hash);
    if (history) expect(history.cpuSeconds).toBeCloseTo(cpu_seconds, 9);
  }
});

test('a recalled proof counts for its strategy, and only proofs from the ledger are cache hits', async () => {
  const { ledger } = await temporaryLedger();
  await eventful(new EventBus('run', systemClock, ledger.journal));
  const arms = await ledger.views.armsOf('run');
  expect(arms.find(({ arm }) => arm === 'cache/proved')).toMatchObject({
    strategy: 'cache',
    attempts: 2,
    successes: 1,
    cache_hits: 2,
  });
  expect(
    arms.filter(({ strategy }) => strategy === 'micro').every(({ cache_hits }) => cache_hits === 0),
  ).toBe(true);
});
