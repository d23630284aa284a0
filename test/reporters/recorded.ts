import type { Clock } from '../../src/core/clock.ts';
import { RunSoFar } from '../../src/reporters/record.ts';
import { resultsOf, type Results } from '../../src/reporters/results.ts';
import {
  attemptFinished,
  attemptStarted,
  config,
  goalAdded,
  runStarted,
  sample,
} from '../helpers/event-bodies.ts';
import type { EventBodies, EventType, GoalClosed, RunEvent } from '../../src/shared/events.ts';

/** Events of small runs, as an engine would send them. */

export const begun = Date.UTC(2026, 0, 2, 3, 4, 5);

export function event<Type extends EventType>(type: Type, second: number, body: EventBodies[Type]): RunEvent {
  return { type, run: 'run-1', at: begun + second * 1000, ...body } as RunEvent;
}

export function started(change: Partial<EventBodies['run-started']> = {}): RunEvent {
  return event('run-started', 0, { ...runStarted, config: { ...config, timeout: 120 }, ...change });
}

export function added(goal: string, change: Partial<EventBodies['goal-added']> = {}): RunEvent {
  const its = { goal, statement: `theorem ${goal} : True`, priority: 1 };
  return event('goal-added', 0, { ...goalAdded, ...its, ...change });
}

export function attemptBegun(attempt: string, goal: string, arm: string, second: number): RunEvent {
  return event('attempt-started', second, { ...attemptStarted, attempt, goal, arm });
}

function attemptEnded(
  attempt: string,
  goal: string,
  arm: string,
  second: number,
  cpuSeconds: number,
): RunEvent {
  const cost = { cpu_seconds: cpuSeconds, wall_seconds: cpuSeconds };
  return event('attempt-finished', second, {
    ...attemptFinished,
    attempt,
    goal,
    arm,
    started: begun,
    ...cost,
  });
}

export function closed(goal: string, second: number, change: Partial<GoalClosed> = {}): RunEvent {
  return event('goal-closed', second, {
    goal,
    solved: true,
    refuted: null,
    proof: 'by omega',
    assurance: 'replayed',
    strategy: 'micro',
    arm: 'micro/close',
    attempts: 1,
    cpu_seconds: 0.4,
    axioms: ['propext'],
    assumes: [],
    reason: 'proved',
    ...change,
  });
}

export function unsolved(goal: string, second: number, reason = 'nothing left to try'): RunEvent {
  const nothing = { solved: false, proof: null, assurance: null, strategy: null, arm: null, axioms: [] };
  return closed(goal, second, { ...nothing, reason, cpu_seconds: 3 });
}

export function sampled(second: number, workers: EventBodies['sample']['workers'] = []): RunEvent {
  const its = { utilisation: 0.48, cpu_seconds: second, resident_bytes: 1.2e9, queued: 3, workers };
  return event('sample', second, { ...sample, ...its });
}

export function finished(second: number, change: Partial<EventBodies['run-finished']> = {}): RunEvent {
  return event('run-finished', second, {
    reason: 'done',
    message: null,
    goals_total: 4,
    goals_solved: 2,
    cpu_seconds: 130.6,
    lean_cpu_seconds: 125,
    host_cpu_seconds: 5.6,
    wall_seconds: 142.2,
    utilisation: 0.4926,
    ...change,
  });
}

/** Two goals solved, two not proved, one left open by a timeout. */
export const smallRun: readonly RunEvent[] = [
  started(),
  added('nat_add'),
  added('list_map', { label: 'medium', difficulty: 0.5, topic: 'List' }),
  added('hard_one', { label: null, difficulty: 0.8, source: 'Deep/File.lean:12' }),
  added('odd|one', { label: 'hard', source: 'Deep/File.lean:20' }),
  added('open_one'),
  attemptBegun('a1', 'nat_add', 'micro/close', 1),
  attemptBegun('a2', 'nat_add', 'micro/library', 1),
  attemptEnded('a1', 'nat_add', 'micro/close', 2, 0.3),
  attemptEnded('a2', 'nat_add', 'micro/library', 2, 0.1),
  closed('nat_add', 2),
  sampled(3, [{ pid: 1, resident_bytes: 6e8, goal: 'list_map', arm: 'micro/induct' }]),
  attemptBegun('a3', 'list_map', 'micro/induct', 3),
  attemptEnded('a3', 'list_map', 'micro/induct', 5, 1.5),
  closed('list_map', 5, {
    arm: 'micro/induct',
    proof: 'by\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => simp [ih]',
  }),
  attemptBegun('a4', 'hard_one', 'micro/close', 6),
  attemptEnded('a4', 'hard_one', 'micro/close', 9, 3),
  unsolved('hard_one', 9),
  unsolved('odd|one', 10, 'unsolved goals\n⊢ 50 % of a, b: c <b>'),
  event('note', 11, { level: 'warning', text: 'copilot is not built yet' }),
  attemptBegun('a5', 'open_one', 'micro/close', 12),
  attemptEnded('a5', 'open_one', 'micro/close', 14, 2),
  finished(142, { goals_total: 5, reason: 'timeout' }),
];

/** The summary of a complete run. */
export function resultsFrom(events: readonly RunEvent[]): Results {
  const record = new RunSoFar();
  for (const one of events) record.apply(one);
  const results = resultsOf(record);
  if (results === undefined) throw new Error('the run has no beginning or no end');
  return results;
}

/** A stream that keeps what was written. */
export class Paper {
  isTTY = false;
  columns = 80;
  rows = 24;
  readonly writes: string[] = [];
  write(text: string): boolean {
    this.writes.push(text);
    return true;
  }
  get text(): string {
    return this.writes.join('');
  }
  get lines(): string[] {
    return this.text.split('\n').filter((line) => line !== '');
  }
}

/** A clock that stops until it is moved, and the timers that wait for it. */
export class HandClock implements Clock {
  #now = 0;
  readonly #callbacks = new Map<() => void, { every: number; next: number }>();
  now = (): number => this.#now;
  date = (): Date => new Date(begun + this.#now);
  every = (milliseconds: number, callback: () => void): (() => void) => {
    this.#callbacks.set(callback, { every: milliseconds, next: this.#now + milliseconds });
    return () => this.#callbacks.delete(callback);
  };
  /** Advances in steps of 5 ms, and calls back like a real timer. */
  advance(milliseconds: number): void {
    for (const end = this.#now + milliseconds; this.#now < end;) {
      this.#now += 5;
      for (const [callback, due] of this.#callbacks)
        if (due.next <= this.#now) {
          due.next = this.#now + due.every;
          callback();
        }
    }
  }
}
