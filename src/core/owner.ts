/**
 * A process that holds something: a run, a lock. A process number alone names nobody for long, numbers are used again; with
 * the place where it counts and the time at which the process began it is one process for ever.
 */
export interface Owner {
  /** Where its number means something: the machine since it was booted, and the container. */
  readonly place: string;
  readonly pid: number;
  /** As the system says it; empty where it does not (macOS). */
  readonly started: string;
}
