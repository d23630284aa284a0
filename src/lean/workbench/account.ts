import type { AttemptLimits } from '../../shared/events.ts';
import type { Cost } from '../protocol.ts';

/** Why an attempt got no further: somebody cancelled it, its budget is spent, or Lean itself failed. */
export type StopReason = 'cancelled' | 'exhausted' | 'broken';

/**
 * What one attempt may spend and has spent on a workbench that others use too. A stopped account buys nothing more: its
 * requests answer at once with nothing, so a plan that goes on simply ends.
 */
export class Account {
  readonly limits: AttemptLimits;
  readonly signal: AbortSignal;
  #cpuSeconds = 0;
  #peakBytes = 0;
  #cacheHits = 0;
  #broken: string | undefined;

  constructor(limits: AttemptLimits, signal: AbortSignal) {
    this.limits = limits;
    this.signal = signal;
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** Answers that the workbench knew already. */
  get cacheHits(): number {
    return this.#cacheHits;
  }

  get secondsLeft(): number {
    return Math.max(0, this.limits.cpu_seconds - this.#cpuSeconds);
  }

  /** What Lean said when it failed as a tool. */
  get fault(): string | undefined {
    return this.#broken;
  }

  get stopped(): StopReason | undefined {
    if (this.signal.aborted) return 'cancelled';
    if (this.#broken !== undefined) return 'broken';
    return this.secondsLeft === 0 ? 'exhausted' : undefined;
  }

  charge({ cpuSeconds, peakBytes }: Cost): void {
    this.#cpuSeconds += cpuSeconds;
    this.#peakBytes = Math.max(this.#peakBytes, peakBytes);
  }

  hit(): void {
    this.#cacheHits++;
  }

  break(message: string): void {
    this.#broken ??= message;
  }
}
