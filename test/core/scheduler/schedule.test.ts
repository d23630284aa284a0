import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextGoal } from '../../../src/core/scheduler/decide.ts';
import type { GoalState } from '../../../src/core/scheduler/goal-state.ts';
import { Schedule } from '../../../src/core/scheduler/schedule.ts';
import {
  attemptFinished,
  attemptStarted,
  config as anyConfig,
  goalAdded,
  goalClosed,
  goalExamined,
  runStarted,
  ticketOpened,
} from '../../helpers/event-bodies.ts';
import type { EventBodies, EventType, GoalParked, RunConfig, RunEvent } from '../../../src/shared/events.ts';

const config: RunConfig = { ...anyConfig, workers: 4, max_light: 4, max_heavy: 1 };

/** One thing that may happen to one of a handful of goals. */
interface Step {
  readonly goal: number;
  readonly passed: number;
  readonly what: 'open' | 'park' | 'close' | 'start' | 'finish' | 'prioritise' | 'retry' | 'ask' | 'deliver';
  readonly reason: GoalParked['reason'];
  readonly slot: 'light' | 'heavy';
  readonly number: number;
}

const steps: fc.Arbitrary<Step> = fc.record({
  goal: fc.nat(7),
  passed: fc.nat(30),
  what: fc.constantFrom('open', 'park', 'close', 'start', 'finish', 'prioritise', 'retry', 'ask', 'deliver'),
  reason: fc.constantFrom('next-round', 'slots', 'ticket', 'broken', 'paused'),
  slot: fc.constantFrom('light', 'heavy'),
  number: fc.nat(60),
});

/** A schedule, and what it should answer, by looking at every goal. */
class Watched {
  readonly schedule = new Schedule();
  at = 1000;

  constructor() {
    this.tell('run-started', { ...runStarted, config });
    for (let goal = 0; goal < 8; goal++)
      this.tell('goal-added', { ...goalAdded, goal: `g${goal}`, priority: (goal % 3) / 3 });
  }

  tell<Type extends EventType>(type: Type, body: EventBodies[Type]): void {
    this.schedule.apply({ type, run: 'run', at: this.at, ...body } as RunEvent);
  }

  step({ goal: index, passed, what, reason, slot, number }: Step): void {
    this.at += passed;
    const goal = `g${index}`;
    const { phase, running } = this.schedule.goal(goal);
    const control = { request: 1, goal, value: null, refused: null };
    if (what === 'open' && (phase === 'queued' || phase === 'parked'))
      this.tell('goal-opened', { goal, priority: 0, round: 0 });
    if (what === 'park' && phase === 'open' && running.size === 0)
      this.tell('goal-parked', { goal, until: this.at + number, reason, ticket: null });
    if (what === 'close' && running.size === 0) this.tell('goal-closed', { ...goalClosed, goal });
    if (what === 'start' && phase === 'open')
      this.tell('attempt-started', { ...attemptStarted, goal, attempt: `a${number}`, slot });
    if (what === 'finish' && running.size > 0)
      this.tell('attempt-finished', { ...attemptFinished, goal, attempt: [...running.keys()][0] ?? '' });
    if (what === 'prioritise' && phase !== 'closed')
      this.tell('control-obeyed', { ...control, action: 'priority', value: number / 60 });
    if (what === 'retry' && phase === 'closed') this.tell('control-obeyed', { ...control, action: 'retry' });
    if (what === 'ask' && phase === 'open')
      this.tell('ticket-opened', { ...ticketOpened, ticket_id: `t${index}`, requester: goal });
    if (what === 'deliver') this.tell('ticket-completed', { ...delivered, ticket_id: `t${index}` });
  }

  get goals(): readonly Readonly<GoalState>[] {
    return [...this.schedule.goals()];
  }
}

test('the indexes always agree with a scan of all goals', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), fc.nat(40), (story, later) => {
      const watched = new Watched();
      for (const step of story) {
        watched.step(step);
        const { schedule, goals } = watched;
        for (const phase of ['queued', 'open', 'parked', 'closed'] as const)
          expect(schedule.count(phase)).toBe(goals.filter((goal) => goal.phase === phase).length);
        expect(schedule.free('light')).toBe(config.max_light - claims(goals, 'light'));
        expect(schedule.free('heavy')).toBe(config.max_heavy - claims(goals, 'heavy'));
        const parked = goals.filter(({ phase }) => phase === 'parked');
        expect(schedule.someComeBack).toBe(parked.some((goal) => !goal.ticket?.isOpen));
        expect(nextGoal(schedule, watched.at + later)?.goal).toBe(scan(goals, watched.at + later)?.goal);
      }
    }),
    { numRuns: 100 },
  );
});

/** The goal that a free worker gets, found by scanning all of them. */
function scan(goals: readonly Readonly<GoalState>[], at: number): Readonly<GoalState> | undefined {
  if (goals.filter(({ phase }) => phase === 'open').length >= config.workers) return undefined;
  const ready = goals.filter(({ phase, wantsHeavy, parkedUntil }) => {
    const slot = phase === 'parked' && wantsHeavy ? 'heavy' : 'light';
    const isFree = claims(goals, slot) < (slot === 'heavy' ? config.max_heavy : config.max_light);
    return isFree && (phase === 'queued' || (phase === 'parked' && (wantsHeavy || parkedUntil <= at)));
  });
  return ready.sort(
    (first, second) =>
      first.round - second.round || second.priority - first.priority || first.order - second.order,
  )[0];
}

function claims(goals: readonly Readonly<GoalState>[], slot: 'light' | 'heavy'): number {
  return goals.reduce((sum, { phase, running, wantsHeavy }) => {
    if (running.size > 0) return sum + [...running.values()].filter((its) => its.slot === slot).length;
    return sum + (phase === 'open' && (slot === 'heavy') === wantsHeavy ? 1 : 0);
  }, 0);
}

const delivered = { claimant: '', completed_proof: '', assurance: 'replayed' };

test('a goal that is expensive to open gets its whole budget at once; a cheap one starts with a short round', () => {
  const watched = new Watched();
  for (const [goal, cpu_seconds] of [
    ['g0', 0.3],
    ['g1', 12],
  ] as const) {
    watched.tell('goal-opened', { goal, priority: 0, round: 0 });
    watched.tell('goal-examined', { ...goalExamined, goal, cpu_seconds });
  }
  expect(['g0', 'g1'].map((goal) => watched.schedule.goal(goal).round)).toEqual([0, 2]);
});
