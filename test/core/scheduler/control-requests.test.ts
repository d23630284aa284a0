import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ControlRequest, Memory } from '../../../src/core/scheduler/domain.ts';
import { replayDecisions } from '../../../src/core/scheduler/replay.ts';
import type { Outcome } from '../../../src/core/strategy.ts';
import type { ControlAction, RunEvent } from '../../../src/shared/events.ts';
import { division, engineOf, forgetful, ofType, patience, spent, strategyOf } from './factoring.ts';
import type { Factoring } from './factoring.ts';

/** User requests, delivered as the ledger would. */
class Person {
  readonly memory: Memory = { ...forgetful, newRequests: async () => this.#unheard.splice(0) };
  readonly #unheard: ControlRequest[] = [];
  #seq = 0;

  ask(action: ControlAction, n: number | null = null, value: number | null = null): void {
    this.#unheard.push({ seq: ++this.#seq, action, goal: n === null ? null : `factor ${n}`, value });
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(10);
};
const answers = (events: readonly RunEvent[]) =>
  ofType(events, 'control-obeyed').map(({ request, action, refused }) => [request, action, refused]);
const opened = (events: readonly RunEvent[]) => ofType(events, 'goal-opened').map(({ goal }) => goal);
const failed: Outcome<number> = { kind: 'failed', message: 'no', ...spent };

test('a user can cancel a goal and retry it', async () => {
  const person = new Person();
  let isPatient = true;
  const way = async (goal: Factoring, signal: AbortSignal): Promise<Outcome<number>> =>
    isPatient ? await patience(goal, signal) : await division(100)(goal);
  const { engine, events } = engineOf([strategyOf('micro', { way })], { memory: person.memory });
  engine.add({ n: 15 });
  engine.add({ n: 21 });
  const running = engine.run();
  person.ask('cancel', 15);
  person.ask('retry', 21);
  person.ask('cancel', 99);
  await until(() => answers(events).length === 3);
  isPatient = false;
  person.ask('retry', 15);
  await until(() => ofType(events, 'goal-closed').some(({ solved }) => solved));
  person.ask('retry', 15);
  person.ask('priority', 15, 1);
  person.ask('cancel', 21);
  expect(await running).toMatchObject({ goals_total: 2, goals_solved: 1 });
  expect(answers(events)).toEqual([
    [1, 'cancel', null],
    [2, 'retry', 'it is still being worked on'],
    [3, 'cancel', 'the run has no such goal'],
    [4, 'retry', null],
    [5, 'retry', 'it is solved'],
    [6, 'priority', 'it is closed'],
    [7, 'cancel', null],
  ]);
  const ends = ofType(events, 'goal-closed').filter(({ goal }) => goal === 'factor 15');
  expect(ends.map(({ reason }) => reason)).toEqual(['cancelled by hand', 'proved']);
  expect(replayDecisions(events).differences).toEqual([]);
});

/** The goal that keeps a run alive; others are treated as said. */
const guarded = async (goal: Factoring, signal: AbortSignal): Promise<Outcome<number>> =>
  goal.n === 21 ? await patience(goal, signal) : await division(100)(goal);
const fails = async (goal: Factoring, signal: AbortSignal): Promise<Outcome<number>> =>
  goal.n === 21 ? await patience(goal, signal) : failed;

test('a retry resets the loop guard and restores the whole budget', async () => {
  const person = new Person();
  const memory: Memory = {
    ...person.memory,
    tried: async () => [
      { arm: 'micro/guarded', signature: 'guarded 1', limits: { cpu_seconds: 99, heartbeats: 1e6 } },
    ],
  };
  const { engine, events } = engineOf([strategyOf('micro', { guarded, fails })], {
    memory,
    config: { goal_cpu: 0.0105 }, // an attempt costs 0.01, opening a goal 0.001
  });
  engine.add({ n: 15 });
  engine.add({ n: 21 });
  const running = engine.run();
  const ends = () => ofType(events, 'goal-closed').filter(({ goal }) => goal === 'factor 15');
  await until(() => ends().length === 1);
  person.ask('retry', 15);
  await until(() => ends().length === 2);
  person.ask('cancel', 21);
  await running;
  expect(ends().map(({ reason }) => reason)).toEqual(['CPU limit reached (0.0105 s, --goal-cpu)', 'proved']);
  expect(replayDecisions(events).differences).toEqual([]);
});

test('a paused run starts nothing until it resumes, and does not end', async () => {
  const person = new Person();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const way = async (goal: Factoring): Promise<Outcome<number>> => {
    await released;
    return goal.n === 13 ? failed : await division(100)(goal);
  };
  const { engine, events } = engineOf([strategyOf('micro', { way })], { memory: person.memory });
  for (const n of [13, 15, 21]) engine.add({ n });
  const running = engine.run();
  person.ask('pause');
  await until(() => answers(events).length === 1);
  release();
  await until(() => ofType(events, 'goal-parked').length === 1);
  const samples = ofType(events, 'sample').length;
  await until(() => ofType(events, 'sample').length >= samples + 2);
  expect(opened(events)).toEqual(['factor 13', 'factor 15']);
  expect(ofType(events, 'goal-parked')).toMatchObject([{ goal: 'factor 13', reason: 'paused' }]);
  person.ask('resume');
  expect(await running).toMatchObject({ reason: 'done', goals_solved: 2 });
  expect(replayDecisions(events).differences).toEqual([]);
});

test('a goal keeps the priority set by the user', async () => {
  const person = new Person();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const way = async (goal: Factoring): Promise<Outcome<number>> => {
    await released;
    return await division(100)(goal);
  };
  const { engine, events } = engineOf([strategyOf('micro', { way })], {
    memory: person.memory,
    config: { workers: 1 },
  });
  for (const n of [15, 21, 35, 77]) engine.add({ n });
  const running = engine.run();
  person.ask('priority', 77, 1);
  await until(() => answers(events).length === 1);
  release();
  await running;
  expect(opened(events)[1]).toBe('factor 77');
  expect(ofType(events, 'goal-examined')[1]).toMatchObject({ goal: 'factor 77', priority: 1 });
});
