import type { Clock } from '../../core/clock.ts';
import type { GoalHistory, InterruptedRun, KnownProof, Lesson, RunRecord } from '../../core/experience.ts';
import type { FrontierNode, TacticStep } from '../../core/search-memory.ts';
import type { ControlRequest } from '../../core/scheduler/domain.ts';
import type {
  CacheEntry,
  ControlRow,
  GoalListRow,
  InFlightAttempt,
  ProgressPoint,
  ScorePoint,
} from '../../shared/api.ts';
import type { ArmRecord, EventOf, RunEvent, TicketStatus, TriedArm } from '../../shared/events.ts';
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
import { selectControlRequests, selectControls, selectIsPaused } from './controls.ts';
import { selectNotes, selectProgress, selectRunSamples, selectScores, selectLastSample } from './course.ts';
import type { Database } from './database.ts';
import { insertEvent, selectEventsSince, selectLastSeq, selectSamples } from './events.ts';
import {
  selectAttemptsOf,
  selectGoal,
  selectGoalList,
  selectGoalStates,
  selectGoals,
  selectProofsOf,
  selectSlatesOf,
  selectVerdictsOf,
} from './goals.ts';
import type { Ledger } from './ledger.ts';
import {
  selectArmRecords,
  selectGoalHistory,
  selectLessons,
  selectProofs,
  selectTried,
} from './experience.ts';
import { rebuildDerived } from './rebuild.ts';
import {
  selectCpuSeconds,
  selectInFlight,
  selectInterruptedRun,
  selectLastRun,
  selectOpenGoals,
  selectRun,
  selectRunning,
  selectRuns,
} from './runs.ts';
import {
  insertSteps,
  replaceFrontier,
  selectFrontier,
  selectStepsFrom,
  type SearchMemoryBounds,
} from './search-memory.ts';
import { selectArms, selectArmsOf, selectCacheEntries, selectHours, selectTotals } from './statistics.ts';
import {
  selectTicket,
  selectTicketCounts,
  selectTickets,
  selectTicketsLike,
  selectTicketsOf,
} from './tickets.ts';
import { findFaults } from './verify.ts';

/** The ledger in a SQLite file: a table of contents; each line is a statement in a file beside this one. */
export class SqliteLedger implements Ledger {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #bounds: SearchMemoryBounds;

  constructor(database: Database, clock: Clock, bounds: SearchMemoryBounds) {
    this.#database = database;
    this.#clock = clock;
    this.#bounds = bounds;
  }

  append(event: RunEvent): number {
    return insertEvent(this.#database, event);
  }

  appendAll(events: Iterable<RunEvent>): void {
    this.#database.transaction(() => {
      for (const event of events) insertEvent(this.#database, event);
    });
  }

  rebuild(): void {
    rebuildDerived(this.#database);
  }

  async verify(): Promise<string[]> {
    return await findFaults(this.#database);
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  armRecords(): ArmRecord[] {
    return selectArmRecords(this.#database);
  }

  tried(goalHash: string, fingerprint: string): TriedArm[] {
    return selectTried(this.#database, goalHash, fingerprint);
  }

  provedBefore(goalHash: string): KnownProof[] {
    return selectProofs(this.#database, goalHash);
  }

  goalHistory(goalHash: string): GoalHistory {
    return selectGoalHistory(this.#database, goalHash);
  }

  lessons(limit: number): Lesson[] {
    return selectLessons(this.#database, limit);
  }

  async stepsFrom(states: readonly string[]): Promise<TacticStep[]> {
    return selectStepsFrom(this.#database, states);
  }

  async noteSteps(steps: readonly TacticStep[]): Promise<void> {
    insertSteps(this.#database, steps, this.#bounds.steps);
  }

  async frontier(goalHash: string, fingerprint: string): Promise<FrontierNode[]> {
    return selectFrontier(this.#database, goalHash, fingerprint);
  }

  async saveFrontier(goalHash: string, fingerprint: string, nodes: readonly FrontierNode[]): Promise<void> {
    replaceFrontier(this.#database, goalHash, fingerprint, this.#now(), nodes, this.#bounds);
  }

  lastRun(): RunRecord | undefined {
    return selectLastRun(this.#database);
  }

  interruptedRun(): InterruptedRun | undefined {
    const run = selectInterruptedRun(this.#database);
    return (
      run && {
        ...run,
        openGoals: selectOpenGoals(this.#database, run.run),
        inFlight: selectInFlight(this.#database, run.run),
      }
    );
  }

  runs(limit: number): RunRow[] {
    return selectRuns(this.#database, limit);
  }

  run(run: string): RunRow | undefined {
    return selectRun(this.#database, run);
  }

  goalList(run: string): GoalListRow[] {
    return selectGoalList(this.#database, run);
  }

  goalStates(run: string): GoalState[] {
    return selectGoalStates(this.#database, run);
  }

  armsOf(run: string): StrategyRow[] {
    return selectArmsOf(this.#database, run);
  }

  running(run: string): InFlightAttempt[] {
    return selectRunning(this.#database, run);
  }

  samplesOf(run: string, points: number): EventOf<'sample'>[] {
    return selectRunSamples(this.#database, run, points);
  }

  lastSampleOf(run: string): EventOf<'sample'> | undefined {
    return selectLastSample(this.#database, run);
  }

  scoresOf(run: string, points: number): ScorePoint[] {
    return selectScores(this.#database, run, points);
  }

  progressOf(run: string, points: number): ProgressPoint[] {
    return selectProgress(this.#database, run, points);
  }

  notesOf(run: string, limit: number): EventOf<'note'>[] {
    return selectNotes(this.#database, run, limit);
  }

  controlsOf(run: string, limit: number): ControlRow[] {
    return selectControls(this.#database, run, limit);
  }

  isPaused(run: string): boolean {
    return selectIsPaused(this.#database, run);
  }

  controlRequests(run: string, since: number): ControlRequest[] {
    return selectControlRequests(this.#database, run, since);
  }

  cacheEntries(limit: number): CacheEntry[] {
    return selectCacheEntries(this.#database, limit);
  }

  cpuSeconds(): number {
    return selectCpuSeconds(this.#database);
  }

  lastSeq(): number {
    return selectLastSeq(this.#database);
  }

  goalsOf(run: string): GoalRow[] {
    return selectGoals(this.#database, run);
  }

  goal(run: string, goal: string): GoalDetail | undefined {
    const itself = selectGoal(this.#database, run, goal);
    return (
      itself && {
        ...itself,
        slates: selectSlatesOf(this.#database, run, goal),
        attempt_rows: selectAttemptsOf(this.#database, run, goal),
        verdicts: selectVerdictsOf(this.#database, run, goal),
        proofs: selectProofsOf(this.#database, run, goal),
      }
    );
  }

  arms(since: number): StrategyRow[] {
    return selectArms(this.#database, since, this.#now());
  }

  strategiesByHour(since: number): StrategyHour[] {
    return selectHours(this.#database, since);
  }

  totals(): Totals {
    return selectTotals(this.#database);
  }

  eventsSince(seq: number, limit: number): RunEvent[] {
    return selectEventsSince(this.#database, seq, limit);
  }

  samples(limit: number): EventOf<'sample'>[] {
    return selectSamples(this.#database, limit);
  }

  tickets(): TicketRow[] {
    return selectTickets(this.#database, this.#now());
  }

  ticketCounts(): Record<TicketStatus, number> {
    return selectTicketCounts(this.#database, this.#now());
  }

  ticket(id: string): TicketRow | undefined {
    return selectTicket(this.#database, this.#now(), id);
  }

  ticketsOf(goalHash: string): TicketRow[] {
    return selectTicketsOf(this.#database, this.#now(), goalHash);
  }

  ticketsLike(text: string, limit: number): TicketRow[] {
    return selectTicketsLike(this.#database, this.#now(), text, limit);
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}
