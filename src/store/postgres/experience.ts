import type { Clock } from '../../core/clock.ts';
import type {
  Experience,
  GoalHistory,
  KnownProof,
  Lesson,
  OpenGoal,
  PremiseTrial,
  PremiseUse,
  UnfinishedRun,
} from '../ledger/experience.ts';
import type { PastAttempt } from '../../core/policy/past.ts';
import type {
  FrontierNode,
  Search,
  SearchMemoryBounds,
  SearchStart,
  TacticStep,
} from '../ledger/search-memory.ts';
import type { InFlightAttempt } from '../../shared/api.ts';
import type { ArmRecord, TriedArm } from '../../shared/events.ts';
import type { Database } from './database.ts';
import type { Reader } from '../ledger/reads/reader.ts';
import { selectOpenGoals, selectRunning, selectUnfinishedRuns } from '../ledger/reads/runs.ts';
import { postgresReader } from './reader.ts';
import {
  insertSteps,
  replaceFrontier,
  selectFrontier,
  selectPremiseRecord,
  selectPremiseUses,
  selectSearches,
  selectStepsFrom,
} from './search-memory.ts';

/** What the engine asks while it decides, and what searches remember. */
export class PostgresExperience implements Experience {
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #bounds: SearchMemoryBounds;

  constructor(database: Database, clock: Clock, bounds: SearchMemoryBounds) {
    this.#database = database;
    this.#reader = postgresReader(database);
    this.#clock = clock;
    this.#bounds = bounds;
  }

  async armRecords(): Promise<ArmRecord[]> {
    return await this.#database.all(
      'SELECT arm, context, trials, mean FROM arm_records ORDER BY arm COLLATE "C", context COLLATE "C"',
    );
  }

  async tried(goalHash: string, fingerprint: string): Promise<TriedArm[]> {
    return await selectTried(this.#database, goalHash, fingerprint);
  }

  async provedBefore(goalHash: string): Promise<KnownProof[]> {
    return await this.#database.all(
      `SELECT proof, fingerprint, strategy, arm, judge FROM proofs
       WHERE goal_hash = $1 AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
      goalHash,
    );
  }

  async goalHistory(goalHash: string): Promise<GoalHistory> {
    const [row] = await this.#database.all<GoalHistory>(
      'SELECT attempts, failures, proofs, cpu_seconds AS "cpuSeconds" FROM goal_history WHERE goal_hash = $1',
      goalHash,
    );
    return row ?? { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
  }

  async lessons(limit: number): Promise<Lesson[]> {
    return await selectLessons(this.#database, limit);
  }

  async armLessons(limit: number): Promise<PastAttempt[]> {
    return await selectArmLessons(this.#database, limit);
  }

  async unfinishedRuns(): Promise<UnfinishedRun[]> {
    return await selectUnfinishedRuns(this.#reader);
  }

  async openGoals(run: string): Promise<OpenGoal[]> {
    return await selectOpenGoals(this.#reader, run);
  }

  async inFlight(run: string): Promise<InFlightAttempt[]> {
    return await selectRunning(this.#reader, run);
  }

  async premiseUses(limit: number): Promise<PremiseUse[]> {
    return await selectPremiseUses(this.#database, limit);
  }

  async premiseRecord(names: readonly string[]): Promise<PremiseTrial[]> {
    return await selectPremiseRecord(this.#database, names);
  }

  async stepsFrom(states: readonly string[]): Promise<TacticStep[]> {
    return await selectStepsFrom(this.#database, states);
  }

  async noteSteps(steps: readonly TacticStep[]): Promise<void> {
    await insertSteps(this.#database, steps, this.#bounds.steps);
  }

  async frontier(goalHash: string, fingerprint: string): Promise<FrontierNode[]> {
    return await selectFrontier(this.#database, goalHash, fingerprint);
  }

  async saveFrontier(
    goalHash: string,
    fingerprint: string,
    start: SearchStart,
    nodes: readonly FrontierNode[],
  ): Promise<void> {
    const at = this.#clock.date().getTime();
    await replaceFrontier(this.#database, { goalHash, fingerprint, at, start, nodes }, this.#bounds);
  }

  async searches(goalHash: string, fingerprint: string): Promise<Search[]> {
    return await selectSearches(this.#database, goalHash, fingerprint);
  }
}

async function selectTried(database: Database, goalHash: string, fingerprint: string): Promise<TriedArm[]> {
  return await database.all(
    `SELECT arm, signature, limits::json AS limits FROM (
       SELECT DISTINCT arm, signature, params::text AS limits FROM finished_attempts
       WHERE goal_hash = $1 AND fingerprint = $2 AND outcome IN ('failed', 'exhausted')) AS failed
     ORDER BY arm COLLATE "C", signature COLLATE "C", failed.limits COLLATE "C"`,
    goalHash,
    fingerprint,
  );
}

async function selectLessons(database: Database, limit: number): Promise<Lesson[]> {
  return await database.all(
    `SELECT features, label, goal_status.cpu_seconds AS "cpuSeconds", status = 'solved' AS solved
     FROM goals JOIN goal_status USING (run, goal)
     WHERE status IN ('solved', 'refuted', 'unsolved') AND features IS NOT NULL ORDER BY seq DESC LIMIT $1`,
    limit,
  );
}

async function selectArmLessons(database: Database, limit: number): Promise<PastAttempt[]> {
  return await database.all(
    `SELECT run, goal, arm, context, features, reward, finished_attempts.cpu_seconds AS "cpuSeconds"
     FROM finished_attempts JOIN goals USING (run, goal)
     WHERE reward IS NOT NULL AND features IS NOT NULL ORDER BY finished_attempts.seq DESC LIMIT $1`,
    limit,
  );
}
