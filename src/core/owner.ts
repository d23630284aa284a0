/**
 * A process that holds something: a run, a lock. Process ids are reused; together with the machine and the start time, one identifies a process for ever.
 */
export interface Owner {
  /** Where the process id is valid: machine, boot and container. */
  readonly place: string;
  readonly pid: number;
  /** As the system reports it; empty if it does not (macOS). */
  readonly started: string;
}
