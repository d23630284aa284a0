import type { Throttle } from '../throttle.ts';

/** CPU time and memory as cumulative counters: two readings give a rate. */
export interface Reading {
  /** CPU-seconds of this process and everything it has started, ended processes included. */
  readonly own: number;
  /** CPU-seconds of this process alone. */
  readonly host: number;
  /** CPU-seconds of all processes on the processors we may use. */
  readonly all: number;
  /** Resident memory of the process tree. */
  readonly residentBytes: number;
}

export interface RunTotals {
  readonly cpuSeconds: number;
  readonly hostCpuSeconds: number;
  /** Time that passed while the machine was awake. */
  readonly wallSeconds: number;
  /** Share of the time with work to do. */
  readonly utilisation: number;
}

/** A longer gap means that the machine slept, and does not count as run time. */
const longestGapSeconds = 5;

/** Reads the machine, charges the CPU budget, and totals the cost of the run. */
export class Meter {
  readonly #read: () => Reading;
  readonly #now: () => number;
  readonly #throttle: Throttle;
  readonly #cores: number;
  readonly #first: Reading;
  #last: Reading;
  /** The highest reading of our own CPU time: the last one would miss a worker that is just ending. */
  #mostOwn: number;
  #lastAt: number;
  #wallSeconds = 0;
  #busySeconds = 0;
  #busyCpuSeconds = 0;

  constructor(read: () => Reading, now: () => number, throttle: Throttle, cores: number) {
    this.#read = read;
    this.#now = now;
    this.#throttle = throttle;
    this.#cores = cores;
    this.#first = this.#last = read();
    this.#mostOwn = this.#first.own;
    this.#lastAt = now();
  }

  get residentBytes(): number {
    return this.#last.residentBytes;
  }

  /** Takes a reading; `hasWork`: the time since the last one counts for the utilisation. */
  tick(hasWork: boolean): void {
    const at = this.#now();
    const reading = this.#read();
    const seconds = (at - this.#lastAt) / 1000;
    // a child that ends between two readings may be missing in one of them
    const own = Math.max(0, reading.own - this.#last.own);
    this.#throttle.charge({ seconds, own, all: Math.max(0, reading.all - this.#last.all) });
    const passed = Math.min(seconds, longestGapSeconds);
    this.#wallSeconds += passed;
    if (hasWork) {
      this.#busySeconds += passed;
      this.#busyCpuSeconds += own;
    }
    this.#last = reading;
    this.#mostOwn = Math.max(this.#mostOwn, reading.own);
    this.#lastAt = at;
  }

  totals(): RunTotals {
    return {
      cpuSeconds: this.#mostOwn - this.#first.own,
      hostCpuSeconds: this.#last.host - this.#first.host,
      wallSeconds: this.#wallSeconds,
      utilisation: this.#busySeconds === 0 ? 0 : this.#busyCpuSeconds / (this.#busySeconds * this.#cores),
    };
  }
}
