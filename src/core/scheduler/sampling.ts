/** A working run takes a sample once per second; one that waits for work, such as `bg` overnight, every five minutes. */
const idleMs = 300_000;

/**
 * When a sample is worth keeping. A day of waiting leaves 288 of them, not 86,400; the first one after the work has ended is always
 * there, so that a viewer sees that the run waits.
 */
export class Sampling {
  #wasBusy = true;
  #last = -Infinity;

  /** Asked once a second. */
  isDue(isBusy: boolean, at: number): boolean {
    if (!isBusy && !this.#wasBusy && at - this.#last < idleMs) return false;
    this.#wasBusy = isBusy;
    this.#last = at;
    return true;
  }
}
