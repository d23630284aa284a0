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
import { decode, type Database } from './database.ts';
import type { Reader } from '../ledger/reads/reader.ts';
import { selectOpenGoals, selectRunning, selectUnfinishedRuns } from '../ledger/reads/runs.ts';
import { sqliteReader } from './reader.ts';
import {
  insertSteps,
  replaceFrontier,
  selectFrontier,
  selectSearches,
  selectPremiseRecord,
  selectPremiseUses,
  selectStepsFrom,
} from './search-memory.ts';

/** What the engine asks while it decides, and what searches remember. */
export class SqliteExperience implements Experience {
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #clock: Clock;
  readonly #bounds: SearchMemoryBounds;

  constructor(database: Database, clock: Clock, bounds: SearchMemoryBounds) {
    this.#database = database;
    this.#reader = sqliteReader(database);
    this.#clock = clock;
    this.#bounds = bounds;
  }

  async armRecords(): Promise<ArmRecord[]> {
    return selectArmRecords(this.#database);
  }

  async tried(goalHash: string, fingerprint: string): Promise<TriedArm[]> {
    return selectTried(this.#database, goalHash, fingerprint);
  }

  async provedBefore(goalHash: string): Promise<KnownProof[]> {
    return selectProofs(this.#database, goalHash);
  }

  async goalHistory(goalHash: string): Promise<GoalHistory> {
    return selectGoalHistory(this.#database, goalHash);
  }

  async lessons(limit: number): Promise<Lesson[]> {
    return selectLessons(this.#database, limit);
  }

  async armLessons(limit: number): Promise<PastAttempt[]> {
    return selectArmLessons(this.#database, limit);
  }

  async unfinishedRuns(): Promise<UnfinishedRun[]> {
    return selectUnfinishedRuns(this.#reader);
  }

  async openGoals(run: string): Promise<OpenGoal[]> {
    return selectOpenGoals(this.#reader, run);
  }

  async inFlight(run: string): Promise<InFlightAttempt[]> {
    return selectRunning(this.#reader, run);
  }

  async premiseUses(limit: number): Promise<PremiseUse[]> {
    return selectPremiseUses(this.#database, limit);
  }

  async premiseRecord(names: readonly string[]): Promise<PremiseTrial[]> {
    return selectPremiseRecord(this.#database, names);
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

  async saveFrontier(
    goalHash: string,
    fingerprint: string,
    start: SearchStart,
    nodes: readonly FrontierNode[],
  ): Promise<void> {
    const at = this.#clock.date().getTime();
    replaceFrontier(this.#database, goalHash, fingerprint, at, start, nodes, this.#bounds);
  }

  async searches(goalHash: string, fingerprint: string): Promise<Search[]> {
    return selectSearches(this.#database, goalHash, fingerprint);
  }
}

function selectArmRecords(database: Database): ArmRecord[] {
  return decode(database.all('SELECT arm, context, trials, mean FROM arm_records ORDER BY arm, context'));
}

function selectTried(database: Database, goalHash: string, fingerprint: string): TriedArm[] {
  return decode(
    database.all(
      `SELECT DISTINCT arm, signature, params AS limits FROM finished_attempts
       WHERE goal_hash = ? AND fingerprint = ? AND outcome IN ('failed', 'exhausted')
       ORDER BY arm, signature, limits`,
      goalHash,
      fingerprint,
    ),
    'limits',
  );
}

function selectProofs(database: Database, goalHash: string): KnownProof[] {
  return decode(
    database.all(
      `SELECT proof, fingerprint, strategy, arm, judge FROM proofs
       WHERE goal_hash = ? AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
      goalHash,
    ),
  );
}

function selectGoalHistory(database: Database, goalHash: string): GoalHistory {
  const [row] = decode<GoalHistory>(
    database.all(
      'SELECT attempts, failures, proofs, cpu_seconds AS cpuSeconds FROM goal_history WHERE goal_hash = ?',
      goalHash,
    ),
  );
  return row ?? { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
}

function selectLessons(database: Database, limit: number): Lesson[] {
  const rows = decode<Omit<Lesson, 'solved'> & { status: string }>(
    database.all(
      `SELECT features, label, status, goal_status.cpu_seconds AS cpuSeconds
       FROM goals JOIN goal_status USING (run, goal)
       WHERE status IN ('solved', 'refuted', 'unsolved') AND features IS NOT NULL ORDER BY seq DESC LIMIT ?`,
      limit,
    ),
    'features',
  );
  return rows.map(({ status, ...lesson }) => ({ ...lesson, solved: status === 'solved' }));
}

function selectArmLessons(database: Database, limit: number): PastAttempt[] {
  return decode(
    database.all(
      `SELECT run, goal, arm, context, features, reward, finished_attempts.cpu_seconds AS cpuSeconds
       FROM finished_attempts JOIN goals USING (run, goal)
       WHERE reward IS NOT NULL AND features IS NOT NULL ORDER BY finished_attempts.seq DESC LIMIT ?`,
      limit,
    ),
    'features',
  );
}
