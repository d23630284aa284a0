import type { Clock } from '../core/clock.ts';
import type { RunEvent } from '../shared/events.ts';

export const reporterNames = ['live', 'plain', 'json', 'github'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** Reads the events of one run and prints. stdout is data, stderr is talk. */
export interface Reporter {
  readonly name: ReporterName;
  /** For `bus.listen`; needs no `this`. */
  readonly event: (event: RunEvent) => void;
  /** Text for people on stderr, in complete lines, above the live window if there is one. The log goes through here. */
  readonly talk: (text: string) => void;
  /** Restores the terminal. Always call it; calling it twice is harmless. */
  readonly close: () => void;
}

/** The part of a stream that reporters use; `process.stdout` and `process.stderr` have it. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface ReporterFacts {
  readonly clock: Clock;
  /** NO_COLOR, FORCE_COLOR, TERM, GITHUB_STEP_SUMMARY */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Calls back repeatedly until the returned function is called. Does not keep the process alive. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
}
