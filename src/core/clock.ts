/** Time is injected so that a run can be replayed. In milliseconds; `now` is monotonic, `date` is wall-clock time. */
export interface Clock {
  now(): number;
  date(): Date;
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
};
