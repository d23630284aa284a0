import type { Usage } from './model.ts';

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface ModelLimits {
  readonly tokens?: number | undefined;
  readonly dollars?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface ModelSpent extends Usage {
  /** Whole millionths of a dollar. */
  readonly microdollars: number;
  /** Wall-clock seconds from question to answer. */
  readonly seconds: number;
  /** Requested answers, and how many of them were cached and free. */
  readonly calls: number;
  readonly recorded: number;
}

const microsInDollar = 1_000_000;

/**
 * A spending limit in whole millionths of a dollar, so sums are exact. Before a call its worst case is reserved;
 * afterwards the real cost is booked. The budget of an attempt is inside that of its goal, and that inside the run's:
 * a call must fit all of them.
 */
export class Budget {
  readonly #limits: ModelLimits;
  readonly #price: Price;
  readonly #outer: Budget | undefined;
  #inputTokens = 0;
  #outputTokens = 0;
  #micros = 0;
  #seconds = 0;
  #calls = 0;
  #recorded = 0;

  constructor(limits: ModelLimits, price: Price, outer?: Budget) {
    this.#limits = limits;
    this.#price = price;
    this.#outer = outer;
  }

  /** A smaller budget inside this one. */
  within(limits: ModelLimits = {}): Budget {
    return new Budget(limits, this.#price, this);
  }

  /** Reserves the worst case of a call; returns why it does not fit, or undefined. `settle` must follow. */
  reserve(worst: Usage): string | undefined {
    const outer = this.#outer?.reserve(worst);
    if (outer !== undefined) return outer;
    const why = this.#refusal(worst);
    if (why !== undefined) {
      this.#outer?.release(worst);
      return why;
    }
    this.#book(worst, 1);
    return undefined;
  }

  /** Books the real cost of a call in place of its worst case. */
  settle(worst: Usage, real: Usage, seconds: number): void {
    this.#outer?.settle(worst, real, seconds);
    this.#book(worst, -1);
    this.#book(real, 1);
    this.#seconds += seconds;
    this.#calls++;
  }

  /** Releases the reservation of a call that was not made. */
  release(worst: Usage): void {
    this.#outer?.release(worst);
    this.#book(worst, -1);
  }

  /** Counts a cached answer, which costs nothing. */
  recall(): void {
    this.#outer?.recall();
    this.#calls++;
    this.#recorded++;
  }

  get spent(): ModelSpent {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      microdollars: this.#micros,
      seconds: this.#seconds,
      calls: this.#calls,
      recorded: this.#recorded,
    };
  }

  /** The largest used share of its limits (tokens, dollars, seconds); 0 without limits. */
  shareOf({ inputTokens, outputTokens, microdollars, seconds }: ModelSpent): number {
    const { tokens, dollars, seconds: mostSeconds } = this.#limits;
    return Math.max(
      share(inputTokens + outputTokens, tokens),
      share(microdollars / microsInDollar, dollars),
      share(seconds, mostSeconds),
    );
  }

  /** Seconds that the next call may take. */
  get secondsLeft(): number {
    const own = (this.#limits.seconds ?? Infinity) - this.#seconds;
    return Math.max(0, Math.min(own, this.#outer?.secondsLeft ?? Infinity));
  }

  #refusal(worst: Usage): string | undefined {
    const { tokens, dollars, seconds } = this.#limits;
    const known = this.#inputTokens + this.#outputTokens;
    if (tokens !== undefined && known + worst.inputTokens + worst.outputTokens > tokens)
      return `${tokens} tokens are not enough for another call`;
    if (dollars !== undefined && this.#micros + this.#cost(worst) > Math.round(dollars * microsInDollar))
      return `$${dollars.toFixed(2)} are not enough for another call`;
    if (seconds !== undefined && this.#seconds >= seconds) return `the limit of ${seconds} s is reached`;
    return undefined;
  }

  #book(usage: Usage, sign: 1 | -1): void {
    this.#inputTokens += sign * usage.inputTokens;
    this.#outputTokens += sign * usage.outputTokens;
    this.#micros += sign * this.#cost(usage);
  }

  #cost(usage: Usage): number {
    return microdollarsOf(usage, this.#price);
  }
}

/** A price in dollars per million tokens equals millionths of a dollar per token; fractions are rounded up. */
export function microdollarsOf({ inputTokens, outputTokens }: Usage, { input, output }: Price): number {
  return Math.ceil(inputTokens * input + outputTokens * output);
}

function share(part: number, whole: number | undefined): number {
  return whole === undefined || part === 0 ? 0 : Math.min(1, part / whole);
}
