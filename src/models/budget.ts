import type { Usage } from './model.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

export interface Limits {
  readonly tokens?: number;
  readonly dollars?: number;
  readonly seconds?: number;
}

export interface Spent {
  readonly tokens: number;
  readonly dollars: number;
  readonly seconds: number;
}

const microsInDollar = 1_000_000;

/**
 * What may be spent, in whole millionths of a dollar, so sums are exact to the cent. Before a call its worst case is
 * reserved; after it the real cost is booked. A goal's budget stands inside the run's: what one refuses, both refuse.
 */
export class Budget {
  readonly #limits: Limits;
  readonly #price: Price;
  readonly #outer: Budget | undefined;
  #tokens = 0;
  #micros = 0;
  #seconds = 0;

  constructor(limits: Limits, price: Price, outer?: Budget) {
    this.#limits = limits;
    this.#price = price;
    this.#outer = outer;
  }

  /** The budget of one goal inside this one. */
  within(limits: Limits): Budget {
    return new Budget(limits, this.#price, this);
  }

  /** Why the worst case does not fit, or undefined when it has been reserved; `settle` must follow. */
  reserve(worst: Usage): string | undefined {
    const outer = this.#outer?.reserve(worst);
    if (outer !== undefined) return outer;
    const why = this.#refusal(worst);
    if (why !== undefined) {
      this.#outer?.settle(worst, { inputTokens: 0, outputTokens: 0 }, 0);
      return why;
    }
    this.#book(worst, 1);
    return undefined;
  }

  /** Books what a call has really cost in place of its worst case. */
  settle(worst: Usage, real: Usage, seconds: number): void {
    this.#outer?.settle(worst, real, seconds);
    this.#book(worst, -1);
    this.#book(real, 1);
    this.#seconds += seconds;
  }

  get spent(): Spent {
    return { tokens: this.#tokens, dollars: this.#micros / microsInDollar, seconds: this.#seconds };
  }

  #refusal(worst: Usage): string | undefined {
    const { tokens, dollars, seconds } = this.#limits;
    if (tokens !== undefined && this.#tokens + tokensOf(worst) > tokens)
      return `${tokens} tokens are not enough for another call`;
    if (dollars !== undefined && this.#micros + this.#cost(worst) > Math.round(dollars * microsInDollar))
      return `$${dollars.toFixed(2)} are not enough for another call`;
    if (seconds !== undefined && this.#seconds >= seconds) return `${seconds} s are spent`;
    return undefined;
  }

  #book(usage: Usage, sign: 1 | -1): void {
    this.#tokens += sign * tokensOf(usage);
    this.#micros += sign * this.#cost(usage);
  }

  /** A price of dollars a million tokens is millionths of a dollar a token; what is not whole is rounded up. */
  #cost({ inputTokens, outputTokens }: Usage): number {
    return Math.ceil(inputTokens * this.#price.input + outputTokens * this.#price.output);
  }
}

function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}
