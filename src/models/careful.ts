import type { Clock } from '../core/clock.ts';
import { failed, success, type Result } from '../core/result.ts';
import type { Budget } from './budget.ts';
import type { AnswerCache } from './cache.ts';
import {
  cancelled,
  mostTokens,
  noUsage,
  worstOf,
  type ModelAnswer,
  type ModelFailure,
  type Vectors,
  type GenerateRequest,
  type Model,
  type Usage,
} from './model.ts';

export interface Care {
  readonly cache?: AnswerCache;
  /** Answer only from the cache; send nothing. */
  readonly replay?: boolean;
  readonly budget?: Budget;
  /** Maximum calls per minute. */
  readonly callsPerMinute?: number;
  /** Tries per call, including the first. */
  readonly tries?: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface CarefulModel extends Model {
  /** The same model, cache and rate, with a budget inside the current one. */
  on(budget: Budget): CarefulModel;
}

const firstBackOffMs = 500;
const longestBackOffMs = 30_000;
/** The longest delay of a timer. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Wraps a model with cache, budget, rate limit and retries with back-off, in this order. `retry-after` is honoured; permanent faults are not retried. Every try is paid for: if the charge is unknown, the worst case is booked.
 */
export function careful(model: Model, care: Care, rate = new Rate(care)): CarefulModel {
  const ask = async <Answer extends ModelAnswer | Vectors>(
    asked: GenerateRequest | readonly string[],
    worst: Usage,
    call: (signal: AbortSignal) => Promise<Result<Answer, ModelFailure>>,
    signal: AbortSignal | undefined,
  ): Promise<Result<Answer, ModelFailure>> => {
    const known = care.cache?.read(model.name, asked) as Answer | undefined;
    if (known !== undefined) {
      care.budget?.recall();
      return success(known);
    }
    if (care.replay === true)
      return failed({
        kind: 'not-recorded',
        message: 'model_network is off, and the cache has no answer to this request',
      });
    const answer = await tried(async () => await paid(care, worst, call, signal), care, rate, signal);
    if (answer.ok) care.cache?.write(model.name, asked, answer.value);
    return answer;
  };
  return {
    name: model.name,
    runsOn: model.runsOn,
    skill: model.skill,
    on: (budget) => careful(model, { ...care, budget }, rate),
    generate: async (request, signal) =>
      await ask<ModelAnswer>(
        request,
        worstOf(request),
        async (ending) => await model.generate(request, ending),
        signal,
      ),
    embed: async (texts, signal) =>
      await ask<Vectors>(
        texts,
        { inputTokens: mostTokens(texts), outputTokens: 0 },
        async (ending) => await model.embed(texts, ending),
        signal,
      ),
  };
}

/** One call within the budget, with its time limit. */
async function paid<Answer extends { readonly usage: Usage }>(
  { budget, clock }: Care,
  worst: Usage,
  call: (signal: AbortSignal) => Promise<Result<Answer, ModelFailure>>,
  signal = new AbortController().signal,
): Promise<Result<Answer, ModelFailure>> {
  if (signal.aborted) return cancelled;
  const refused = budget?.reserve(worst);
  if (refused !== undefined) return failed({ kind: 'over-budget', message: refused });
  const seconds = budget?.secondsLeft ?? Infinity;
  const time =
    seconds === Infinity ? signal : AbortSignal.timeout(Math.ceil(Math.min(seconds * 1000, longestTimerMs)));
  const begun = clock.now();
  let answer: Result<Answer, ModelFailure> | undefined;
  try {
    answer = await call(AbortSignal.any([signal, time]));
  } finally {
    budget?.settle(worst, usageOf(answer, worst), (clock.now() - begun) / 1000);
  }
  if (!answer.ok && answer.error.kind === 'cancelled' && !signal.aborted)
    return failed({ kind: 'over-budget', message: `no answer within ${seconds.toFixed(1)} s` });
  return answer;
}

function usageOf(answer: Result<{ readonly usage: Usage }, ModelFailure> | undefined, worst: Usage): Usage {
  if (answer === undefined) return worst;
  // an impossible figure from a service must not refund the budget
  if (answer.ok) return Object.values(answer.value.usage).every(isCount) ? answer.value.usage : worst;
  const isFree = answer.error.kind === 'failed' && answer.error.mayCost !== true;
  return isFree ? noUsage : worst;
}

function isCount(said: unknown): boolean {
  return Number.isSafeInteger(said) && Number(said) >= 0;
}

async function tried<Answer>(
  call: () => Promise<Result<Answer, ModelFailure>>,
  { tries = 4, sleep }: Care,
  rate: Rate,
  signal: AbortSignal | undefined,
): Promise<Result<Answer, ModelFailure>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await rate.inTurn(call, signal);
    if (answer.ok || answer.error.retryable !== true || attempt >= tries) return answer;
    const backOff = firstBackOffMs * 2 ** (attempt - 1);
    await sleep(Math.min(longestBackOffMs, Math.max(backOff, answer.error.retryAfterMs ?? 0)), signal);
  }
}

/** Limits the calls per minute of all models that share it, and how many of them may be under way at once. */
export class Rate {
  readonly #care: Care;
  readonly #jobs: number;
  readonly #calls: number[];
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(care: Care, jobs = Infinity, calls: number[] = []) {
    this.#care = care;
    this.#jobs = jobs;
    this.#calls = calls;
  }

  /** The same calls per minute, and at most this many calls at once. */
  within(jobs = Infinity): Rate {
    return new Rate(this.#care, jobs, this.#calls);
  }

  async inTurn<Value>(call: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
    if (this.#running >= this.#jobs) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      await this.#wait(signal);
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { callsPerMinute: most, clock, sleep } = this.#care;
    if (most === undefined) return;
    for (;;) {
      const now = clock.now();
      while (now - (this.#calls[0] ?? now) >= 60_000) this.#calls.shift();
      if (this.#calls.length < most || signal?.aborted === true) break;
      await sleep((this.#calls[0] ?? now) + 60_000 - now, signal);
    }
    this.#calls.push(clock.now());
  }
}
