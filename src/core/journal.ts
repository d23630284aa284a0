import type { RunEvent } from '../shared/events.ts';
import type { Owner } from './owner.ts';

/** Where events are kept: the only way into a ledger. */
export interface Journal {
  /**
   * All of them or none, in this order, numbered one after the other; the answer is the number of the last. When it comes, they
   * and all that follows from them are there, whatever happens to the process. Rejects with `LedgerConflict` when one of them
   * contradicts what the journal holds.
   */
  append(events: readonly RunEvent[]): Promise<number>;
  /** The number of the newest event; 0 for none. */
  lastSeq(): Promise<number>;
  /** Oldest first, those after `seq`. */
  eventsSince(seq: number, limit: number): Promise<RunEvent[]>;
  /** All that a run has said but its samples, oldest first. */
  eventsOf(run: string): Promise<RunEvent[]>;
  /** The run lives, in this process. Not an event: each beat takes the place of the one before. */
  beat(run: string, owner: Owner): Promise<void>;
  /** Calls back soon after every append by any writer, until the returned function is called; absent for a database that cannot notify. */
  follow?(news: () => void): Promise<() => Promise<void>>;
}
