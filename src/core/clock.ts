/** Time is injected, so that a run can be replayed. Milliseconds; `now` never goes back, `date` is for people. */
export interface Clock {
  now(): number;
  date(): Date;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
};
