import type { Clock } from '../core/clock.ts';

/** However many clients ask, an answer is made at most four times a second… */
const freshMs = 250;
/** …and one that takes long less often: at most an eighth of the time goes into it. 5,000 goals take 40 ms to read. */
const keptForCost = 8;
const largest = 200;

interface Kept {
  readonly seq: number;
  readonly madeAt: number;
  /** How long a value is kept while events arrive. */
  readonly holdsMs: number;
  readonly value: unknown;
}

/** Keeps answers for as long as nothing has happened, and for a moment while something does. */
export class Memo {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get<Value>(key: string, seq: number, make: () => Promise<Value>): Promise<Value> {
    const now = this.#clock.now();
    const kept = this.#kept.get(key);
    // time alone changes some answers (a run falls silent): not for ever, even if nothing happens
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
