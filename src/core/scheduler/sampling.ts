/** A working run is sampled every second; a waiting one, such as `bg` overnight, every five minutes. */
const idleMs = 300_000;

/**
 * When a sample is worth keeping. A day of waiting leaves 288 samples instead of 86,400. The first one after work ends is always kept, so the dashboard shows that the run waits.
 */
export class Sampling {
  #wasBusy = true;
  #last = -Infinity;

  /** Called once per second. */
  isDue(isBusy: boolean, at: number): boolean {
    if (!isBusy && !this.#wasBusy && at - this.#last < idleMs) return false;
    this.#wasBusy = isBusy;
    this.#last = at;
    return true;
  }
}
