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
export class PostgresViews implements Views {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async runs(limit: number) {
    return await selectRuns(this.#database, limit);
  }

  async run(run: string) {
    return await selectRun(this.#database, run);
  }

  async goalsOf(run: string) {
    return await selectGoals(this.#database, run);
  }

  async uncheckedGoals(judge: string) {
    return await selectUncheckedGoals(this.#database, judge);
  }

  async goal(run: string, goal: string) {
    const itself = await selectGoal(this.#database, run, goal);
    return (
      itself && {
        ...itself,
        slates: await selectSlatesOf(this.#database, run, goal),
        attempt_rows: await selectAttemptsOf(this.#database, run, goal),
        verdicts: await selectVerdictsOf(this.#database, run, goal),
        proofs: await selectProofsOf(this.#database, run, goal),
      }
    );
  }

  async goalList(run: string, goals?: readonly string[]) {
    return await selectGoalList(this.#database, run, goals);
  }

  async goalStates(run: string) {
    return await selectGoalStates(this.#database, run);
  }

  async arms(since: number) {
    return await selectArms(this.#database, since, this.#clock.date().getTime());
  }

  async armsOf(run: string) {
    return await selectArmsOf(this.#database, run);
  }

  async strategiesByHour(since: number) {
    return await selectHours(this.#database, since);
  }

  async totals() {
    return await selectTotals(this.#database);
  }

  async cacheEntries(limit: number) {
    return await selectCacheEntries(this.#database, limit);
  }

  async cpuSeconds() {
    return await selectCpuSeconds(this.#database);
  }

  async running(run: string) {
    return await selectRunning(this.#database, run);
  }

  async heard(run: string) {
    return await selectHeard(this.#database, run);
  }

  async samplesOf(run: string, points: number) {
    return await selectRunSamples(this.#database, run, points);
  }

  async lastSampleOf(run: string) {
    return await selectLastSample(this.#database, run);
  }

  async scoresOf(run: string, points: number) {
    return await selectScores(this.#database, run, points);
  }

  async progressOf(run: string, points: number) {
    return await selectProgress(this.#database, run, points);
  }

  async notesOf(run: string, limit: number) {
    return await selectNotes(this.#database, run, limit);
  }

  async controlsOf(run: string, limit: number) {
    return await selectControls(this.#database, run, limit);
  }

  async isPaused(run: string) {
    return await selectIsPaused(this.#database, run);
  }

  async controlRequests(run: string, since: number) {
    return await selectControlRequests(this.#database, run, since);
  }
}
