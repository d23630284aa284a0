import type { Clock } from '../../../core/clock.ts';
import type { TriedArm } from '../../../shared/events.ts';
import type { Experience, GoalHistory, Lesson } from '../experience.ts';
import type { CachedPremises, FrontierNode, SearchStart, TacticStep } from '../search-memory.ts';
import type { Reader } from './reader.ts';
import { selectOpenGoals, selectRunning, selectUnfinishedRuns } from './runs.ts';
import {
  selectCachedPremises,
  selectFrontier,
  selectFrontiers,
  selectPremiseRecord,
  selectPremiseUses,
  selectSearches,
  selectStepsFrom,
} from './search-memory.ts';

/** Data that a search keeps for the next one. */
export interface FrontierRow {
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly start: SearchStart;
  readonly nodes: readonly FrontierNode[];
}

/** Writes the search memory; each database has its own implementation. */
export interface SearchWriter {
  insertSteps(steps: readonly TacticStep[]): Promise<void>;
  replaceFrontier(row: FrontierRow): Promise<void>;
  insertPremises(found: readonly CachedPremises[]): Promise<void>;
}

/** The engine's queries, and the search memory. */
export function ledgerExperience(reader: Reader, writer: SearchWriter, clock: Clock): Experience {
  const { rows, dialect } = reader;
  return {
    armRecords: async () =>
      await rows(
        `SELECT arm, context, trials, mean FROM arm_records ORDER BY arm${dialect.byBytes}, context${dialect.byBytes}`,
      ),
    tried: async (goalHash, fingerprint) => await selectTried(reader, goalHash, fingerprint),
    provedBefore: async (goalHash) =>
      await rows(
        `SELECT proof, fingerprint, strategy, arm, judge FROM proofs
         WHERE goal_hash = $1 AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
        [goalHash],
      ),
    provedFromOthers: async (goalHash) => {
      const found = await rows<{ proof: string }>(
        `SELECT verdicts.proof FROM verdicts JOIN goals USING (run, goal)
         WHERE goals.goal_hash = $1 AND verdicts.kind = 'conditional' ORDER BY verdicts.seq DESC`,
        [goalHash],
      );
      return [...new Set(found.map(({ proof }) => proof))];
    },
    refutedBefore: async () => {
      const found = await rows<{ hash: string }>(
        `SELECT DISTINCT goals.goal_hash AS hash FROM goals JOIN goal_status USING (run, goal)
         WHERE status = 'refuted' AND goals.goal_hash IS NOT NULL`,
      );
      return found.map(({ hash }) => hash);
    },
    goalHistory: async (goalHash) => await selectGoalHistory(reader, goalHash),
    lessons: async (limit) => await selectLessons(reader, limit),
    armLessons: async (limit) =>
      await rows(
        `SELECT run, goal, arm, context, features, reward, finished_attempts.cpu_seconds AS "cpuSeconds"
         FROM finished_attempts JOIN goals USING (run, goal)
         WHERE reward IS NOT NULL AND features IS NOT NULL ORDER BY finished_attempts.seq DESC LIMIT $1`,
        [limit],
        ['features'],
      ),
    unfinishedRuns: async () => await selectUnfinishedRuns(reader),
    openGoals: async (run) => await selectOpenGoals(reader, run),
    inFlight: async (run) => await selectRunning(reader, run),
    premiseUses: async (limit) => await selectPremiseUses(reader, limit),
    premiseRecord: async (names) => await selectPremiseRecord(reader, names),
    stepsFrom: async (states) => await selectStepsFrom(reader, states),
    noteSteps: async (steps) => await writer.insertSteps(steps),
    frontier: async (goalHash, fingerprint) => await selectFrontier(reader, goalHash, fingerprint),
    saveFrontier: async (goalHash, fingerprint, start, nodes) => {
      const at = clock.date().getTime();
      await writer.replaceFrontier({ goalHash, fingerprint, at, start, nodes });
    },
    frontiers: async (limit) => await selectFrontiers(reader, limit),
    cachedPremises: async (limit, goalHash) => await selectCachedPremises(reader, limit, goalHash),
    cachePremises: async (found) => await writer.insertPremises(found),
    searches: async (goalHash, fingerprint) => await selectSearches(reader, goalHash, fingerprint),
  };
}

async function selectTried(
  { rows, dialect: { byBytes } }: Reader,
  goalHash: string,
  fingerprint: string,
): Promise<TriedArm[]> {
  // as text, because PostgreSQL cannot compare JSON
  const found = await rows<Omit<TriedArm, 'limits'> & { limits: string }>(
    `SELECT * FROM (
       SELECT DISTINCT arm, signature, CAST(params AS text) AS limits FROM finished_attempts
       WHERE goal_hash = $1 AND fingerprint = $2 AND outcome IN ('failed', 'exhausted')) AS failed
     ORDER BY arm${byBytes}, signature${byBytes}, limits${byBytes}`,
    [goalHash, fingerprint],
  );
  return found.map((row) => ({ ...row, limits: JSON.parse(row.limits) as TriedArm['limits'] }));
}

async function selectGoalHistory({ rows }: Reader, goalHash: string): Promise<GoalHistory> {
  const [row] = await rows<GoalHistory>(
    'SELECT attempts, failures, proofs, cpu_seconds AS "cpuSeconds" FROM goal_history WHERE goal_hash = $1',
    [goalHash],
  );
  return row ?? { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
}

async function selectLessons({ rows }: Reader, limit: number): Promise<Lesson[]> {
  const found = await rows<Omit<Lesson, 'solved'> & { status: string }>(
    `SELECT features, label, status, goal_status.cpu_seconds AS "cpuSeconds"
     FROM goals JOIN goal_status USING (run, goal)
     WHERE status IN ('solved', 'refuted', 'unsolved') AND features IS NOT NULL ORDER BY seq DESC LIMIT $1`,
    [limit],
    ['features'],
  );
  return found.map(({ status, ...lesson }) => ({ ...lesson, solved: status === 'solved' }));
}
