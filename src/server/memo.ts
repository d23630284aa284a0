import type { Clock } from '../core/clock.ts';

/** An answer is computed at most four times per second, for any number of clients… */
const freshMs = 250;
/** …and slow answers less often, so that they take at most an eighth of the time. */
const keptForCost = 8;
const largest = 200;

interface Kept {
  readonly seq: number;
  readonly madeAt: number;
  /** How long a value is kept while events arrive. */
  readonly holdsMs: number;
  readonly value: unknown;
}

/** Caches answers until an event arrives, and briefly while events arrive. */
export class Memo {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get<Value>(key: string, seq: number, make: () => Promise<Value>): Promise<Value> {
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    // some answers change with time alone (a run falls silent), so they expire even without events
    if (kept && now - kept.madeAt < (kept.seq === seq ? 4 : 1) * kept.holdsMs) return kept.value as Value;
    const value = await make();
    this.#kept.delete(key);
    const madeAt = this.#clock.now();
    const holdsMs = Math.max(freshMs, keptForCost * (madeAt - now));
    this.#kept.set(key, { seq, madeAt, holdsMs, value });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > largest && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}
