import type { AttemptRun } from '../../core/strategy.ts';
import type { AttemptLimits } from '../../shared/events.ts';
import { noCost, type Cost } from '../base/protocol.ts';

type AccountRun = Pick<AttemptRun, 'limits' | 'signal' | 'permit'> & Partial<Pick<AttemptRun, 'place'>>;

/** Why an attempt stopped: cancelled, budget used up, or Lean itself failed. */
export type StopReason = 'cancelled' | 'exhausted' | 'broken';

/** Safety limit for work that heartbeats do not count; far beyond what a slow machine needs. */
const cpuNet = { factor: 8, seconds: 10 };

/**
 * Budget and costs of one attempt on a shared workbench. After an account stops, its requests return immediately
 * without results, so the plan ends.
 */
export class WorkAccount {
  readonly limits: AttemptLimits;
  readonly signal: AbortSignal;
  /** Resolves when the run's CPU budget allows one more request. */
  readonly permit: () => Promise<void>;
  readonly #place: number;
  #cpuSeconds = 0;
  #workSeconds = 0;
  #peakBytes = 0;
  #cacheHits = 0;
  #broken: string | undefined;

  /** `place`: index in the slate, from 0. */
  constructor({ limits, signal, permit, place = 0 }: AccountRun) {
    this.limits = limits;
    this.signal = signal;
    this.permit = permit;
    this.#place = place;
  }

  /** The account with the lowest turn is served next, so the first arm of a slate gets about half of the worker. */
  get turn(): number {
    return this.#workSeconds * (1 + this.#place);
  }

  /** In seconds of the reference machine, the unit of the limits. */
  get workSeconds(): number {
    return this.#workSeconds;
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  /** The whole cost, charged to the parent account. */
  get spent(): Cost {
    return {
      ...noCost,
      cpuSeconds: this.#cpuSeconds,
      workSeconds: this.#workSeconds,
      peakBytes: this.#peakBytes,
    };
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** How often a cache answered instead of work. */
  get cacheHits(): number {
    return this.#cacheHits;
  }

  hitCache(): void {
    this.#cacheHits++;
  }

  get secondsLeft(): number {
    const limit = this.limits.cpu_seconds;
    if (this.#cpuSeconds > cpuNet.factor * limit + cpuNet.seconds) return 0;
    return Math.max(0, limit - this.#workSeconds);
  }

  /** Lean's error message when the tool itself failed. */
  get fault(): string | undefined {
    return this.#broken;
  }

  get stopped(): StopReason | undefined {
    if (this.signal.aborted) return 'cancelled';
    if (this.#broken !== undefined) return 'broken';
    return this.secondsLeft === 0 ? 'exhausted' : undefined;
  }

  /** Cancelled or broken. An exhausted budget is not a reason to discard results. */
  get isCut(): boolean {
    return this.signal.aborted || this.#broken !== undefined;
  }

  charge({ cpuSeconds, workSeconds, peakBytes }: Cost): void {
    this.#cpuSeconds += cpuSeconds;
    this.#workSeconds += workSeconds;
    this.#peakBytes = Math.max(this.#peakBytes, peakBytes);
  }

  break(message: string): void {
    this.#broken ??= message;
  }
}
