import type { RunEvent } from '../shared/events.ts';
import type { Owner } from './owner.ts';

/** The store of events, and the only way to write to a ledger. */
export interface Journal {
  /**
   * Appends all of them or none, in this order, with consecutive numbers; returns the last number. Once it resolves, the events and everything derived from them are durable. Rejects with `LedgerConflict` if one contradicts the journal.
   */
  append(events: readonly RunEvent[]): Promise<number>;
  /** The number of the newest event; 0 for none. */
  lastSeq(): Promise<number>;
  /** The events after `seq`, oldest first. */
  eventsSince(seq: number, limit: number): Promise<RunEvent[]>;
  /** All events of a run except samples, oldest first. */
  eventsOf(run: string): Promise<RunEvent[]>;
  /** Records that the run is alive in this process. Not an event: each beat replaces the previous one. */
  beat(run: string, owner: Owner): Promise<void>;
  /** Calls back soon after every append by any writer, until the returned function is called; absent for a database that cannot notify. */
  follow?(news: () => void): Promise<() => Promise<void>>;
}
