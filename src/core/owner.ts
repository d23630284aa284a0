/**
 * A process that holds something: a run, a lock. Process ids are reused; together with the machine and the
 * start time, it identifies a process permanently.
 */
export interface Owner {
  /** Where the process id is valid: machine, boot and container. */
  readonly place: string;
  readonly pid: number;
  /** As reported by the system; empty if unavailable (macOS). */
  readonly started: string;
}
