import type { Experience } from '../../core/experience.ts';
import type { SearchMemory } from '../../core/search-memory.ts';
import type { ControlRequest } from '../../core/scheduler/domain.ts';
import type {
  CacheEntry,
  ControlRow,
  GoalListRow,
  InFlightAttempt,
  ProgressPoint,
  ScorePoint,
} from '../../shared/api.ts';
import type { EventOf, RunEvent, TicketStatus } from '../../shared/events.ts';
import type {
  GoalDetail,
  GoalRow,
  GoalState,
  RunRow,
  StrategyHour,
  StrategyRow,
  TicketRow,
  Totals,
} from '../../shared/ledger.ts';

/**
 * The database that remembers every run, goal, attempt and proof. Narrow, so that another database can stand behind it.
 * There is one way in, `append`; everything else reads.
 */
export interface Ledger extends Experience, SearchMemory, LedgerViews, RunViews, TicketReads {
  /**
   * The event's number. When this returns, the event and all that follows from it are there, whatever happens to the process.
   * Throws `LedgerConflict` when the ledger refuses the event, and then nothing of it is there.
   */
  append(event: RunEvent): number;
  /** Many at once, all or none; for imports and benchmarks. */
  appendAll(events: Iterable<RunEvent>): void;
  /** Computes everything derived again from the events. */
  rebuild(): void;
  /** What is wrong with the file; nothing, if all is well. Does not hold up a writer. */
  verify(): Promise<string[]>;
  close(): void;
  [Symbol.dispose](): void;
}

/** What `stats` and the dashboard read. */
export interface LedgerViews {
  runs(limit: number): RunRow[];
  run(run: string): RunRow | undefined;
  goalsOf(run: string): GoalRow[];
  goal(run: string, goal: string): GoalDetail | undefined;
  /** Since a moment: the hour in which it lies counts whole, the day when it is more than a week ago; 0 is all time. */
  arms(since: number): StrategyRow[];
  strategiesByHour(since: number): StrategyHour[];
  totals(): Totals;
  /** The scripts that were judged most often. */
  cacheEntries(limit: number): CacheEntry[];
  /** Of all runs; of one that has not said what it cost, what its last sample says. */
  cpuSeconds(): number;
  /** The number of the newest event; 0 for none. */
  lastSeq(): number;
  /** Oldest first, those after `seq`. */
  eventsSince(seq: number, limit: number): RunEvent[];
  /** Newest first. */
  samples(limit: number): EventOf<'sample'>[];
}

/** The course of one run. A series that is longer than `points` is thinned, evenly. */
interface RunViews {
  /** In the order in which they were added. */
  goalList(run: string): GoalListRow[];
  goalStates(run: string): GoalState[];
  armsOf(run: string): StrategyRow[];
  running(run: string): InFlightAttempt[];
  /** Oldest first, as are the next two. */
  samplesOf(run: string, points: number): EventOf<'sample'>[];
  lastSampleOf(run: string): EventOf<'sample'> | undefined;
  scoresOf(run: string, points: number): ScorePoint[];
  progressOf(run: string, points: number): ProgressPoint[];
  /** Newest first, as are the requests. */
  notesOf(run: string, limit: number): EventOf<'note'>[];
  controlsOf(run: string, limit: number): ControlRow[];
  isPaused(run: string): boolean;
  /** What people asked of it after an event, oldest first. */
  controlRequests(run: string, since: number): ControlRequest[];
}

export interface TicketReads {
  /** Open ones first, then by priority. */
  tickets(): TicketRow[];
  ticketCounts(): Record<TicketStatus, number>;
  ticket(id: string): TicketRow | undefined;
  /** Those with this identity, newest first. */
  ticketsOf(goalHash: string): TicketRow[];
  /** Those that share words with a text, the most similar first. */
  ticketsLike(text: string, limit: number): TicketRow[];
}

/** The ledger refuses an event that contradicts what it holds: a goal twice, an attempt on no goal, a ticket that is taken. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
