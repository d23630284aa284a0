import type { Clock } from '../core/clock.ts';
import type { Budget } from './budget.ts';
import type { AnswerCache } from './cache.ts';
import {
  noUsage,
  type Embedded,
  type Failure,
  type Generated,
  type GenerateRequest,
  type Model,
  type Usage,
} from './model.ts';

export interface Care {
  readonly cache?: AnswerCache;
  /** Answers come from the cache or not at all: nothing is sent. */
  readonly replay?: boolean;
  readonly budget?: Budget;
  /** Most calls a minute. */
  readonly callsPerMinute?: number;
  /** Tries of one call, the first included. */
  readonly tries?: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const firstBackOffMs = 500;
const longestBackOffMs = 30_000;
/** Texts have fewer tokens than this many bytes each; a prompt's worst case. */
const bytesPerToken = 2;

/**
 * A model with all that a service needs: the cache first, then the budget, then the rate, then tries with back-off. What the
 * service asks for (`retry-after`) is honoured; a fault that would be the same again is not tried again.
 */
export function careful(model: Model, care: Care): Model {
  const rate = new Rate(care);
  const ask = async <Answer extends { readonly kind: string }>(
    asked: GenerateRequest | readonly string[],
    worst: Usage,
    call: () => Promise<Answer | Failure>,
    usageOf: (answer: Answer | Failure) => Usage,
    signal: AbortSignal | undefined,
  ): Promise<Answer | Failure> => {
    const known = care.cache?.read(model.name, asked);
    if (known !== undefined) return known as unknown as Answer;
    if (care.replay === true)
      return { kind: 'not-recorded', message: 'this run is replayed, and the answer was not recorded' };
    const refused = care.budget?.reserve(worst);
    if (refused !== undefined) return { kind: 'over-budget', message: refused };
    const begun = care.clock.now();
    let answer: Answer | Failure | undefined;
    try {
      answer = await tried(call, care, rate, signal);
    } finally {
      const seconds = (care.clock.now() - begun) / 1000;
      care.budget?.settle(worst, answer === undefined ? noUsage : usageOf(answer), seconds);
    }
    if (answer.kind === 'answered' || answer.kind === 'embedded')
      care.cache?.write(model.name, asked, answer as unknown as Generated | Embedded);
    return answer;
  };
  return {
    name: model.name,
    generate: async (request, signal) =>
      await ask<Extract<Generated, { kind: 'answered' }>>(
        request,
        worstOf(request),
        () => model.generate(request, signal),
        (answer) => (answer.kind === 'answered' ? answer.usage : noUsage),
        signal,
      ),
    embed: async (texts, signal) =>
      await ask<Extract<Embedded, { kind: 'embedded' }>>(
        texts,
        { inputTokens: Math.ceil(bytes(texts.join('')) / bytesPerToken), outputTokens: 0 },
        () => model.embed(texts, signal),
        (answer) => (answer.kind === 'embedded' ? answer.usage : noUsage),
        signal,
      ),
  };
}

function worstOf({ system = '', prompt, samples, maxTokens, schema }: GenerateRequest): Usage {
  const text = bytes(system) + bytes(prompt) + bytes(JSON.stringify(schema?.json ?? ''));
  return { inputTokens: samples * Math.ceil(text / bytesPerToken), outputTokens: samples * maxTokens };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

async function tried<Answer extends { readonly kind: string }>(
  call: () => Promise<Answer | Failure>,
  { tries = 4, sleep }: Care,
  rate: Rate,
  signal: AbortSignal | undefined,
): Promise<Answer | Failure> {
  for (let attempt = 1; ; attempt++) {
    await rate.wait(signal);
    if (signal?.aborted === true) return { kind: 'cancelled' };
    const answer = await call();
    if (answer.kind !== 'failed') return answer;
    const failure = answer as Extract<Failure, { kind: 'failed' }>;
    if (!failure.retryable || attempt >= tries) return failure;
    const backOff = firstBackOffMs * 2 ** (attempt - 1);
    await sleep(Math.min(longestBackOffMs, Math.max(backOff, failure.retryAfterMs ?? 0)), signal);
  }
}

/** At most so many calls in any minute. */
class Rate {
  readonly #care: Care;
  readonly #calls: number[] = [];

  constructor(care: Care) {
    this.#care = care;
  }

  async wait(signal: AbortSignal | undefined): Promise<void> {
    const { callsPerMinute: most, clock, sleep } = this.#care;
    if (most === undefined) return;
    for (;;) {
      const now = clock.now();
      while (this.#calls.length > 0 && now - (this.#calls[0] as number) >= 60_000) this.#calls.shift();
      if (this.#calls.length < most || signal?.aborted === true) break;
      await sleep((this.#calls[0] as number) + 60_000 - now, signal);
    }
    this.#calls.push(clock.now());
  }
}
