import type { Throttle } from '../throttle.ts';

/** CPU time and memory, as counters since some time in the past: two readings make a rate. */
export interface Reading {
  /** CPU-seconds of this process and everything it has started, ended processes included. */
  readonly own: number;
  /** CPU-seconds of this process alone. */
  readonly host: number;
  /** CPU-seconds of everyone on the processors that are ours to use. */
  readonly all: number;
  /** Resident memory of the process tree. */
  readonly residentBytes: number;
}

export interface RunTotals {
  readonly cpuSeconds: number;
  readonly hostCpuSeconds: number;
  /** Time that passed while the machine was awake. */
  readonly wallSeconds: number;
  /** Of the time in which there was something to do. */
  readonly utilisation: number;
}

/** A laptop that slept did not work: a gap longer than this is not counted as time of the run. */
const longestGapSeconds = 5;

/** Reads the machine, charges the CPU budget, and adds up what the run has cost. */
export class Meter {
  readonly #read: () => Reading;
  readonly #now: () => number;
  readonly #throttle: Throttle;
  readonly #cores: number;
  readonly #first: Reading;
  #last: Reading;
  /** The most that was ever read of our own: a worker that is ending when the last reading is made would be missing in it. */
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

  /** One reading; `hasWork` says whether the time since the last one counts for the utilisation. */
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
