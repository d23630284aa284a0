import { nextGoal } from '../src/core/scheduler/decide.ts';
import { Schedule } from '../src/core/scheduler/schedule.ts';
import { goalsSent } from '../src/remote/dispatch.ts';
import { longestLookMs } from '../src/remote/worker.ts';
import type { EventBodies, EventType, RunEvent } from '../src/shared/events.ts';
import { config, goalAdded, goalClosed, runStarted } from '../test/helpers/event-bodies.ts';
import { SeededRandom } from '../test/helpers/random.ts';
import { Cores, EventClock, Line } from './scale-clock.ts';

/** What things cost, in CPU-seconds, as they were measured. */
export interface ServiceTimes {
  /** Of a worker, each goal; they come again and again, in this order. */
  readonly worker: readonly number[];
  /** Seconds that each goal takes its worker besides, without CPU; in the same order. */
  readonly waits: readonly number[];
  /** Of Lean where the run is, each goal. */
  readonly judge: number;
  /** Of the run's own thread, each goal. */
  readonly host: number;
  /** Of the database, each statement. */
  readonly statement: number;
  /** Statements for each goal, by all who have to do with it; and in each second, by each process. */
  readonly statementsOfGoal: number;
  readonly statementsOfSecond: number;
  /** What the run and each worker use in every second besides: they read the machine, and say that they live. */
  readonly hostOfSecond: number;
  readonly workerOfSecond: number;
}

/** Where everyone works. */
export interface Layout {
  /** Each has one Lean. */
  readonly workers: number;
  readonly goals: number;
  /** One machine for all, or one for the run, one for the database, and a core for each worker. */
  readonly machines: { readonly shared: number } | { readonly run: number; readonly database: number };
  /** Tasks of others on each machine but the workers' own. */
  readonly foreign?: number;
}

export interface Simulated {
  readonly workers: number;
  /** From the first closed goal on. */
  readonly goals_per_second: number;
  /** Share of the workers' time without a goal. */
  readonly idle: number;
  readonly statements_per_second: number;
  /** How busy each part was, as a share of what it can do. */
  readonly busy: {
    readonly workers: number;
    readonly thread: number;
    readonly judging: number;
    readonly database: number;
  };
  /** What others had of a shared machine. */
  readonly others: number;
}

/** An idle worker asks for grounds and for a job. */
const statementsOfLook = 2;

/**
 * A run with workers on a clock that jumps. The schedule is the real one (which goal is next, how many are sent), and so are the times of the
 * queue; what Lean and PostgreSQL would do is waited for. Nobody dies.
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
  /** Waiting goals for a worker, and how many workers wait for a goal. */
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

  /** As many as the schedule lets go. */
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

  /** Of several workers that look every so often, one looks soon. */
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
    // workers with free capacity look at once
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

  /** Half of what a goal costs the run's thread. */
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

  /** A share of the statements that a goal needs. */
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

  /** Workers without a goal ask for one, and everyone says that he lives: no machine is ever quite free. */
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
