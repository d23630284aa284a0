import type { Clock } from '../../core/clock.ts';
import type { GoalHistory, InterruptedRun, KnownProof, Lesson, RunRecord } from '../../core/experience.ts';
import type { ArmRecord, EventOf, RunEvent, TicketStatus, TriedArm } from '../../shared/events.ts';
import type {
  GoalDetail,
  GoalRow,
  RunRow,
  StrategyHour,
  StrategyRow,
  TicketRow,
  Totals,
} from '../../shared/ledger.ts';
import type { Database } from './database.ts';
import { insertEvent, selectEventsSince, selectSamples } from './events.ts';
import {
  selectAttemptsOf,
  selectGoal,
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
import { selectInFlight, selectInterruptedRun, selectLastRun, selectOpenGoals, selectRuns } from './runs.ts';
import { selectArms, selectHours, selectTotals } from './statistics.ts';
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

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
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
