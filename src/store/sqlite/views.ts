import type { Clock } from '../../core/clock.ts';
import type { Views } from '../ledger/ledger.ts';
import { selectControlRequests, selectControls, selectIsPaused } from './controls.ts';
import { selectLastSample, selectNotes, selectProgress, selectRunSamples, selectScores } from './course.ts';
import type { Database } from './database.ts';
import {
  selectAttemptsOf,
  selectGoal,
  selectGoalList,
  selectGoalStates,
  selectUncheckedGoals,
  selectGoals,
  selectProofsOf,
  selectSlatesOf,
  selectVerdictsOf,
} from './goals.ts';
import { selectCpuSeconds, selectHeard, selectRun, selectRunning, selectRuns } from './runs.ts';
import { selectArms, selectArmsOf, selectCacheEntries, selectHours, selectTotals } from './statistics.ts';

/** A table of contents; each line is a statement in a file beside this one, and answers what `Views` says. */
export class SqliteViews implements Views {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async runs(limit: number) {
    return selectRuns(this.#database, limit);
  }

  async run(run: string) {
    return selectRun(this.#database, run);
  }

  async goalsOf(run: string) {
    return selectGoals(this.#database, run);
  }

  async uncheckedGoals(judge: string) {
    return selectUncheckedGoals(this.#database, judge);
  }

  async goal(run: string, goal: string) {
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

  async goalList(run: string, goals?: readonly string[]) {
    return selectGoalList(this.#database, run, goals);
  }

  async goalStates(run: string) {
    return selectGoalStates(this.#database, run);
  }

  async arms(since: number) {
    return selectArms(this.#database, since, this.#clock.date().getTime());
  }

  async armsOf(run: string) {
    return selectArmsOf(this.#database, run);
  }

  async strategiesByHour(since: number) {
    return selectHours(this.#database, since);
  }

  async totals() {
    return selectTotals(this.#database);
  }

  async cacheEntries(limit: number) {
    return selectCacheEntries(this.#database, limit);
  }

  async cpuSeconds() {
    return selectCpuSeconds(this.#database);
  }

  async running(run: string) {
    return selectRunning(this.#database, run);
  }

  async heard(run: string) {
    return selectHeard(this.#database, run);
  }

  async samplesOf(run: string, points: number) {
    return selectRunSamples(this.#database, run, points);
  }

  async lastSampleOf(run: string) {
    return selectLastSample(this.#database, run);
  }

  async scoresOf(run: string, points: number) {
    return selectScores(this.#database, run, points);
  }

  async progressOf(run: string, points: number) {
    return selectProgress(this.#database, run, points);
  }

  async notesOf(run: string, limit: number) {
    return selectNotes(this.#database, run, limit);
  }

  async controlsOf(run: string, limit: number) {
    return selectControls(this.#database, run, limit);
  }

  async isPaused(run: string) {
    return selectIsPaused(this.#database, run);
  }

  async controlRequests(run: string, since: number) {
    return selectControlRequests(this.#database, run, since);
  }
}
