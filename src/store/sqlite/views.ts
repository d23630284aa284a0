import type { Clock } from '../../core/clock.ts';
import type { ControlRequest } from '../../core/scheduler/domain.ts';
import type {
  CacheEntry,
  ControlRow,
  GoalListRow,
  InFlightAttempt,
  ProgressPoint,
  ScorePoint,
} from '../../shared/api.ts';
import type { EventOf } from '../../shared/events.ts';
import type {
  GoalDetail,
  GoalRow,
  GoalState,
  RunRow,
  StrategyHour,
  StrategyRow,
  Totals,
} from '../../shared/ledger.ts';
import type { Views } from '../ledger/ledger.ts';
import { selectControlRequests, selectControls, selectIsPaused } from './controls.ts';
import { selectLastSample, selectNotes, selectProgress, selectRunSamples, selectScores } from './course.ts';
import type { Database } from './database.ts';
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
import { selectCpuSeconds, selectHeard, selectRun, selectRunning, selectRuns } from './runs.ts';
import { selectArms, selectArmsOf, selectCacheEntries, selectHours, selectTotals } from './statistics.ts';

/** A table of contents; each line is a statement in a file beside this one. */
export class SqliteViews implements Views {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async runs(limit: number): Promise<RunRow[]> {
    return selectRuns(this.#database, limit);
  }

  async run(run: string): Promise<RunRow | undefined> {
    return selectRun(this.#database, run);
  }

  async goalsOf(run: string): Promise<GoalRow[]> {
    return selectGoals(this.#database, run);
  }

  async goal(run: string, goal: string): Promise<GoalDetail | undefined> {
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

  async goalList(run: string): Promise<GoalListRow[]> {
    return selectGoalList(this.#database, run);
  }

  async goalStates(run: string): Promise<GoalState[]> {
    return selectGoalStates(this.#database, run);
  }

  async arms(since: number): Promise<StrategyRow[]> {
    return selectArms(this.#database, since, this.#clock.date().getTime());
  }

  async armsOf(run: string): Promise<StrategyRow[]> {
    return selectArmsOf(this.#database, run);
  }

  async strategiesByHour(since: number): Promise<StrategyHour[]> {
    return selectHours(this.#database, since);
  }

  async totals(): Promise<Totals> {
    return selectTotals(this.#database);
  }

  async cacheEntries(limit: number): Promise<CacheEntry[]> {
    return selectCacheEntries(this.#database, limit);
  }

  async cpuSeconds(): Promise<number> {
    return selectCpuSeconds(this.#database);
  }

  async running(run: string): Promise<InFlightAttempt[]> {
    return selectRunning(this.#database, run);
  }

  async heard(run: string): Promise<number | undefined> {
    return selectHeard(this.#database, run);
  }

  async samplesOf(run: string, points: number): Promise<EventOf<'sample'>[]> {
    return selectRunSamples(this.#database, run, points);
  }

  async lastSampleOf(run: string): Promise<EventOf<'sample'> | undefined> {
    return selectLastSample(this.#database, run);
  }

  async scoresOf(run: string, points: number): Promise<ScorePoint[]> {
    return selectScores(this.#database, run, points);
  }

  async progressOf(run: string, points: number): Promise<ProgressPoint[]> {
    return selectProgress(this.#database, run, points);
  }

  async notesOf(run: string, limit: number): Promise<EventOf<'note'>[]> {
    return selectNotes(this.#database, run, limit);
  }

  async controlsOf(run: string, limit: number): Promise<ControlRow[]> {
    return selectControls(this.#database, run, limit);
  }

  async isPaused(run: string): Promise<boolean> {
    return selectIsPaused(this.#database, run);
  }

  async controlRequests(run: string, since: number): Promise<ControlRequest[]> {
    return selectControlRequests(this.#database, run, since);
  }
}
