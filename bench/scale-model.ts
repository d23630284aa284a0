import { nextGoal } from '../src/core/scheduler/decide.ts';
import { Schedule } from '../src/core/scheduler/schedule.ts';
import { goalsSent } from '../src/remote/dispatch.ts';
import { longestLookMs } from '../src/remote/worker.ts';
import type { EventBodies, EventType, RunEvent } from '../src/shared/events.ts';
import { config, goalAdded, goalClosed, runStarted } from '../test/helpers/event-bodies.ts';
import { SeededRandom } from '../test/helpers/random.ts';
import { Cores, EventClock, Line } from './scale-clock.ts';

/** Measured costs in CPU-seconds. */
export interface ServiceTimes {
  /** Per goal, of a worker; used cyclically in this order. */
  readonly worker: readonly number[];
  /** Additional seconds per goal without CPU, in the same order. */
  readonly waits: readonly number[];
  /** Per goal, of Lean on the run's machine. */
  readonly judge: number;
  /** Per goal, of the run's own thread. */
  readonly host: number;
  /** Per statement, of the database. */
  readonly statement: number;
  /** Statements per goal by all processes, and statements per second by each process. */
  readonly statementsOfGoal: number;
  readonly statementsOfSecond: number;
  /** CPU per second of the run and of each worker for polling the machine and sending heartbeats. */
  readonly hostOfSecond: number;
  readonly workerOfSecond: number;
}

/** The machines of a simulated run. */
export interface Layout {
  /** Each worker has one Lean. */
  readonly workers: number;
  readonly goals: number;
  /** One machine for everything, or one for the run, one for the database, and a core per worker. */
  readonly machines: { readonly shared: number } | { readonly run: number; readonly database: number };
  /** Foreign tasks on each machine, except the workers' own. */
  readonly foreign?: number;
}

export interface Simulated {
  readonly workers: number;
  /** Measured from the first closed goal. */
  readonly goals_per_second: number;
  /** Fraction of the workers' time without a goal. */
  readonly idle: number;
  readonly statements_per_second: number;
  /** Utilisation of each part, as a fraction of its capacity. */
  readonly busy: {
    readonly workers: number;
    readonly thread: number;
    readonly judging: number;
    readonly database: number;
  };
  /** Fraction of a shared machine used by foreign tasks. */
  readonly others: number;
}

/** An idle worker requests environments and a job. */
const statementsOfLook = 2;

/**
 * Simulates a run with workers in virtual time. The schedule is the real one (which goal is next, how many are sent), and so are the
 * queue's intervals; the work of Lean and PostgreSQL is simulated by its measured cost. No process fails.
 *
 *     schedule ─▶ the run's thread ─▶ database ─▶ queue ─▶ worker ─▶ database ─▶ judge ─▶ the run's thread ─▶ database ─▶ closed
 */
export function simulate(times: ServiceTimes, layout: Layout, seed = 1): Simulated {
  const simulation = new Simulation(times, layout, new SeededRandom(seed));
  return simulation.run();
}

class Simulation {
  readonly #times: ServiceTimes;
  readonly #layout: Layout;
  readonly #random: SeededRandom;
  readonly #clock = new EventClock();
  readonly #schedule = new Schedule();
  readonly #run: Cores;
  readonly #database: Cores;
  readonly #thread = new Line(1);
  readonly #judges: Line;
  /** Goals waiting for a worker, and the number of workers waiting for a goal. */
  readonly #queue: string[] = [];
  #first = 0;
  #idle: number;
  #idleSince = 0;
  #idleSeconds = 0;
  #begun = 0;
  #closed = 0;
  #firstClosedAt = 0;
  #threadSeconds = 0;
  #judgeSeconds = 0;
  #statements = 0;

  constructor(times: ServiceTimes, layout: Layout, random: SeededRandom) {
    this.#times = times;
    this.#layout = layout;
    this.#random = random;
    this.#idle = layout.workers;
    const { machines, foreign } = layout;
    const cores = 'shared' in machines ? machines.shared : machines.run;
    this.#run = new Cores(this.#clock, cores, foreign);
    this.#database = 'shared' in machines ? this.#run : new Cores(this.#clock, machines.database, foreign);
    this.#judges = new Line(cores);
    this.#reserve();
    this.#tell('run-started', {
      ...runStarted,
      config: { ...config, workers: goalsSent, max_light: goalsSent },
    });
  }

  run(): Simulated {
    const { goals, workers, machines } = this.#layout;
    for (let number = 0; number < goals; number++)
      this.#tell('goal-added', { ...goalAdded, goal: `g${number}` });
    this.#send();
    this.#clock.runUntil(() => this.#closed === goals);
    this.#countIdle(0);
    this.#run.settle();
    this.#database.settle();
    const seconds = this.#clock.now;
    const runCores = 'shared' in machines ? machines.shared : machines.run;
    const databaseCores = 'shared' in machines ? machines.shared : machines.database;
    const looks = (this.#idleSeconds / (longestLookMs / 1000)) * statementsOfLook;
    const steady = seconds * (workers + 1) * this.#times.statementsOfSecond;
    const statements = this.#statements + looks + steady;
    const idle = this.#idleSeconds / (seconds * workers);
    return {
      workers,
      goals_per_second: (goals - 1) / (seconds - this.#firstClosedAt),
      idle,
      statements_per_second: statements / seconds,
      busy: {
        workers: 1 - idle,
        thread: this.#threadSeconds / seconds,
        judging: this.#judgeSeconds / (seconds * runCores),
        database: (statements * this.#times.statement) / (seconds * databaseCores),
      },
      others: this.#run.lost / (seconds * runCores),
    };
  }

  /** Sends as many goals as the schedule allows. */
  #send(): void {
    for (;;) {
      const goal = nextGoal(this.#schedule, this.#clock.now)?.goal;
      if (goal === undefined) return;
      this.#tell('goal-opened', { goal, priority: 0.5, round: 0 });
      this.#inThread(() =>
        this.#ask(0.25, () => {
          this.#queue.push(goal);
          this.#match();
        }),
      );
    }
  }

  /** Matches goals and workers; among several workers that poll at intervals, one polls soon. */
  #match(): void {
    if (this.#idle === 0 || this.#first === this.#queue.length) return;
    const goal = this.#queue[this.#first++];
    if (goal === undefined) return;
    const untilSomebodyLooks = (this.#random.next() * longestLookMs) / 1000 / this.#idle;
    this.#countIdle(-1);
    this.#clock.after(untilSomebodyLooks, () => this.#work(goal));
  }

  #work(goal: string): void {
    const { worker, waits } = this.#times;
    const number = this.#begun++;
    const cpuSeconds = worker[number % worker.length] ?? 0;
    const answered = (): void => this.#ask(0.5, () => this.#answer(goal));
    this.#clock.after(waits[number % waits.length] ?? 0, () => {
      if ('shared' in this.#layout.machines) this.#run.run(cpuSeconds, answered);
      else this.#clock.after(cpuSeconds, answered);
    });
  }

  #answer(goal: string): void {
    // workers with free capacity poll immediately
    const next = this.#queue[this.#first];
    if (next === undefined) this.#countIdle(1);
    else {
      this.#first++;
      this.#work(next);
    }
    this.#judges.enter((leave) => {
      this.#judgeSeconds += this.#times.judge;
      this.#run.run(this.#times.judge, () => {
        leave();
        this.#inThread(() => this.#ask(0.25, () => this.#close(goal)));
      });
    });
  }

  #close(goal: string): void {
    this.#tell('goal-closed', { ...goalClosed, goal, solved: true });
    if (this.#closed++ === 0) this.#firstClosedAt = this.#clock.now;
    this.#send();
  }

  /** Runs half of a goal's cost in the run's thread. */
  #inThread(then: () => void): void {
    const cpuSeconds = this.#times.host / 2;
    this.#threadSeconds += cpuSeconds;
    this.#thread.enter((leave) =>
      this.#run.run(cpuSeconds, () => {
        leave();
        then();
      }),
    );
  }

  /** Runs a fraction of a goal's statements. */
  #ask(share: number, then: () => void): void {
    const statements = share * this.#times.statementsOfGoal;
    this.#statements += statements;
    this.#database.run(statements * this.#times.statement, then);
  }

  #countIdle(change: number): void {
    this.#idleSeconds += this.#idle * (this.#clock.now - this.#idleSince);
    this.#idleSince = this.#clock.now;
    this.#idle += change;
    this.#reserve();
  }

  /** Idle workers poll for goals, and every process sends heartbeats, so no machine is ever fully idle. */
  #reserve(): void {
    const { statement, statementsOfSecond, hostOfSecond, workerOfSecond } = this.#times;
    const { workers, machines } = this.#layout;
    const looks = (this.#idle / (longestLookMs / 1000)) * statementsOfLook;
    this.#run.settle();
    this.#database.settle();
    this.#run.reserved = hostOfSecond + ('shared' in machines ? workers * workerOfSecond : 0);
    const asked = (looks + (workers + 1) * statementsOfSecond) * statement;
    this.#database.reserved = asked + (this.#database === this.#run ? this.#run.reserved : 0);
  }

  #tell<Type extends EventType>(type: Type, body: EventBodies[Type]): void {
    this.#schedule.apply({ type, run: 'bench', at: this.#clock.now, ...body } as RunEvent);
  }
}
