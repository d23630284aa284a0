import { Heap } from '../src/core/scheduler/heap.ts';

interface Moment {
  readonly at: number;
  readonly act: () => void;
}

/** A clock that jumps to the next event. In seconds. */
export class EventClock {
  now = 0;
  readonly #moments = new Heap<Moment>((first, second) => first.at < second.at);

  after(seconds: number, act: () => void): Moment {
    const moment = { at: this.now + seconds, act };
    this.#moments.add(moment);
    return moment;
  }

  cancel(moment: Moment): void {
    this.#moments.remove(moment);
  }

  /** Runs events until the condition holds. */
  runUntil(isOver: () => boolean): void {
    while (!isOver()) {
      const moment = this.#moments.first;
      if (!moment) throw new Error('no more events');
      this.#moments.remove(moment);
      this.now = moment.at;
      moment.act();
    }
  }
}

interface Task {
  /** In virtual time since the start of the first task. */
  readonly endsAt: number;
  readonly done: () => void;
}

/**
 * Shared cores: each task gets an equal part, at most one core. `foreign` tasks never end; `reserved` cores are
 * permanently in use.
 */
export class Cores {
  reserved = 0;
  /** Core-seconds worked here, excluding foreign tasks. */
  worked = 0;
  /** Core-seconds used by foreign tasks. */
  lost = 0;
  readonly #clock: EventClock;
  readonly #cores: number;
  readonly #foreign: number;
  readonly #tasks = new Heap<Task>((first, second) => first.endsAt < second.endsAt);
  #count = 0;
  #time = 0;
  #seenAt = 0;
  #next: Moment | undefined;

  constructor(clock: EventClock, cores: number, foreign = 0) {
    this.#clock = clock;
    this.#cores = cores;
    this.#foreign = foreign;
  }

  run(cpuSeconds: number, done: () => void): void {
    this.settle();
    this.#tasks.add({ endsAt: this.#time + cpuSeconds, done });
    this.#count++;
    this.#plan();
  }

  /** Accounts for the work done up to now. */
  settle(): void {
    const passed = this.#clock.now - this.#seenAt;
    this.#seenAt = this.#clock.now;
    const rate = this.#rate;
    this.#time += passed * rate;
    this.worked += passed * (rate * this.#count + Math.min(this.reserved, this.#cores));
    this.lost += passed * Math.min(this.#foreign, this.#foreign * this.#rate);
  }

  get #rate(): number {
    const free = Math.max(this.#cores - this.reserved, this.#cores / 100);
    return Math.min(1, free / Math.max(1, this.#count + this.#foreign));
  }

  #plan(): void {
    if (this.#next) this.#clock.cancel(this.#next);
    const first = this.#tasks.first;
    this.#next =
      first && this.#clock.after(Math.max(0, first.endsAt - this.#time) / this.#rate, () => this.#end(first));
  }

  #end(task: Task): void {
    this.settle();
    this.#next = undefined;
    this.#tasks.remove(task);
    this.#count--;
    this.#plan();
    task.done();
  }
}

/** Size of the batches in which served entries are removed. */
const forgetAfter = 10_000;

/** A queue with this many parallel slots. */
export class Line {
  readonly #room: number;
  readonly #waiting: ((leave: () => void) => void)[] = [];
  #inside = 0;
  #first = 0;

  constructor(room: number) {
    this.#room = room;
  }

  enter(act: (leave: () => void) => void): void {
    this.#waiting.push(act);
    this.#admit();
  }

  #admit(): void {
    while (this.#inside < this.#room && this.#first < this.#waiting.length) {
      const act = this.#waiting[this.#first++];
      if (this.#first === forgetAfter) this.#first -= this.#waiting.splice(0, forgetAfter).length;
      this.#inside++;
      act?.(() => {
        this.#inside--;
        this.#admit();
      });
    }
  }
}
