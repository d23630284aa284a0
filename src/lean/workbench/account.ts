import type { AttemptRun } from '../../core/strategy.ts';
import type { AttemptLimits } from '../../shared/events.ts';
import { noCost, type Cost } from '../base/protocol.ts';

type AccountRun = Pick<AttemptRun, 'limits' | 'signal' | 'permit'> & Partial<Pick<AttemptRun, 'place'>>;

/** Why an attempt got no further: someone cancelled it, its budget is spent, or Lean itself failed. */
export type StopReason = 'cancelled' | 'exhausted' | 'broken';

/** A net for work that Lean does not count: far beyond what a slow machine needs. */
const cpuNet = { factor: 8, seconds: 10 };

/**
 * What one attempt may spend and has spent on a workbench that others use too. A stopped account buys nothing more: its
 * requests answer at once with nothing, so a plan that goes on simply ends.
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
  #broken: string | undefined;

  /** `place`: its place in a slate, from 0. */
  constructor({ limits, signal, permit, place = 0 }: AccountRun) {
    this.limits = limits;
    this.signal = signal;
    this.permit = permit;
    this.#place = place;
  }

  /** Of several, the one with the least is served next: the best of a slate gets about half of the worker. */
  get turn(): number {
    return this.#workSeconds * (1 + this.#place);
  }

  /** In seconds of the reference machine: limits count these. */
  get workSeconds(): number {
    return this.#workSeconds;
  }

  get cpuSeconds(): number {
    return this.#cpuSeconds;
  }

  /** All of it, for the account that pays for this one. */
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

  get secondsLeft(): number {
    const limit = this.limits.cpu_seconds;
    if (this.#cpuSeconds > cpuNet.factor * limit + cpuNet.seconds) return 0;
    return Math.max(0, limit - this.#workSeconds);
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

  /** Stopped from outside or by a fault. A budget that is spent is not a reason to throw away what it has bought. */
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
