import type { Clock } from '../../core/clock.ts';
import type { Experience } from './experience.ts';
import type { Journal } from '../../core/journal.ts';
import type { Shelf } from './blob-store.ts';
import type { SearchMemoryBounds } from './search-memory.ts';
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
  GoalStanding,
  RunRow,
  StrategyHour,
  StrategyRow,
  TicketRequestRow,
  TicketRow,
  Totals,
} from '../../shared/ledger.ts';

/**
 * The database that records every run, goal, attempt and proof, in parts: callers take the part that they need. The journal is
 * the only way to write; everything else reads tables derived from it. `test/store/conformance/` specifies each part for every
 * database.
 */
export interface Ledger {
  readonly journal: Journal;
  readonly experience: Experience;
  readonly views: Views;
  readonly tickets: Tickets;
  /** Only if several machines can reach it. */
  readonly shelf?: Shelf;
  /** Recomputes all derived tables from the events. */
  rebuild(): Promise<void>;
  /** Problems found; empty if all is well. Does not block writers. */
  verify(): Promise<string[]>;
  /** Removes old samples. No other process may use the file in the meantime; afterwards it is closed. */
  prune(): Promise<Pruning>;
  /** A copy as a single file, from which another machine can continue. */
  copyTo(file: string): Promise<void>;
  /** Events of another ledger with their numbers, which must be higher than all existing ones. */
  takeOver(events: readonly RunEvent[]): Promise<void>;
  /** Hashes of the events and of each derived table. Ledgers with equal content have equal hashes in every database. */
  digests(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface LedgerOptions {
  readonly clock: Clock;
  /** Read-only; the ledger must exist. */
  readonly readOnly?: boolean;
  /** False: the ledger must exist, although it may be written to. */
  readonly create?: boolean;
  /** A file may not grow beyond this many pages of 4096 bytes. */
  readonly maxPages?: number;
  /** Size limits of the search memory. */
  readonly searchMemory?: SearchMemoryBounds;
  /** Called with a message while waiting for an unreachable database server. */
  readonly onWait?: ((message: string) => void) | undefined;
  /** How long to wait at the start for a database server that does not respond. */
  readonly patienceMs?: number;
}

export interface Pruning {
  /** Events. */
  readonly removed: number;
  readonly bytes: { readonly before: number; readonly after: number };
}

/** The queries of `stats`, `why` and the dashboard. */
export interface Views extends RunViews {
  runs(limit: number): Promise<RunRow[]>;
  run(run: string): Promise<RunRow | undefined>;
  /** Since a moment, rounded down to the hour, or to the day if it is more than a week ago; 0: all time. */
  arms(since: number): Promise<StrategyRow[]>;
  strategiesByHour(since: number): Promise<StrategyHour[]>;
  totals(): Promise<Totals>;
  /** The scripts that were judged most often. */
  cacheEntries(limit: number): Promise<CacheEntry[]>;
  /** Of all runs. For a run without a recorded cost, its last sample counts. */
  cpuSeconds(): Promise<number>;
}

/** Figures of one run over time. A series longer than `points` is thinned evenly. */
interface RunViews {
  /** Goals with proofs, none of which this judge has accepted. */
  uncheckedGoals(judge: string): Promise<Pick<GoalRow, 'run' | 'goal'>[]>;
  /** In the order in which they were added, as are the next two. */
  goalsOf(run: string): Promise<GoalRow[]>;
  /** With the time of the latest attempt; of all goals, or of these. */
  goalList(run: string, goals?: readonly string[]): Promise<GoalListRow[]>;
  goalStates(run: string): Promise<GoalStanding[]>;
  goal(run: string, goal: string): Promise<GoalDetail | undefined>;
  armsOf(run: string): Promise<StrategyRow[]>;
  running(run: string): Promise<InFlightAttempt[]>;
  /** When its process last reported that it is alive; undefined for a finished run. */
  heard(run: string): Promise<number | undefined>;
  /** Oldest first, as are the next two. */
  samplesOf(run: string, points: number): Promise<EventOf<'sample'>[]>;
  scoresOf(run: string, points: number): Promise<ScorePoint[]>;
  progressOf(run: string, points: number): Promise<ProgressPoint[]>;
  lastSampleOf(run: string): Promise<EventOf<'sample'> | undefined>;
  /** Newest first, as are the requests. */
  notesOf(run: string, limit: number): Promise<EventOf<'note'>[]>;
  controlsOf(run: string, limit: number): Promise<ControlRow[]>;
  isPaused(run: string): Promise<boolean>;
  /** Users' requests to it after an event, oldest first. */
  controlRequests(run: string, since: number): Promise<ControlRequest[]>;
}

/** Requests for helper lemmas, with their current state. */
export interface Tickets {
  /** Open ones first, then by priority. */
  all(): Promise<TicketRow[]>;
  counts(): Promise<Record<TicketStatus, number>>;
  ticket(id: string): Promise<TicketRow | undefined>;
  /** Those with this identity, newest first. */
  ofGoal(goalHash: string): Promise<TicketRow[]>;
  /** Those that share words with a text, most similar first. */
  like(text: string, limit: number): Promise<TicketRow[]>;
  /** All requesters, oldest first. */
  requests(): Promise<TicketRequestRow[]>;
  /** Names of goals and nodes that users have put on the critical path. */
  pins(): Promise<string[]>;
}

/** An event that contradicts the ledger: a duplicate goal, an attempt without a goal, a ticket that is already claimed. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}
