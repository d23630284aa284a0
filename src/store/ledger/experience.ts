import type { GoalHistory, KnownProof, Lesson } from '../../core/experience.ts';
import type { ArmRecord, TriedArm } from '../../shared/events.ts';
import { decode, type Database, type Row } from './database.ts';

/** What the engine asks while it decides. */

export function selectArmRecords(database: Database): ArmRecord[] {
  return database
    .all('SELECT arm, context, trials, mean FROM arm_records ORDER BY arm, context')
    .map((row) => decode(row));
}

export function selectTried(database: Database, goalHash: string, fingerprint: string): TriedArm[] {
  return database
    .all(
      `SELECT DISTINCT arm, signature, params AS limits FROM finished_attempts
       WHERE goal_hash = ? AND fingerprint = ? AND outcome IN ('failed', 'exhausted')
       ORDER BY arm, signature, limits`,
      goalHash,
      fingerprint,
    )
    .map((row) => decode(row, 'limits'));
}

export function selectProofs(database: Database, goalHash: string): KnownProof[] {
  return database
    .all(
      `SELECT proof, fingerprint, strategy, arm FROM proofs
       WHERE goal_hash = ? AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
      goalHash,
    )
    .map((row) => decode(row));
}

export function selectGoalHistory(database: Database, goalHash: string): GoalHistory {
  const row = database.get(
    'SELECT attempts, failures, proofs, cpu_seconds AS cpuSeconds FROM goal_history WHERE goal_hash = ?',
    goalHash,
  );
  return row ? decode(row) : { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
}

export function selectLessons(database: Database, limit: number): Lesson[] {
  return database
    .all<Row & { status: string }>(
      `SELECT features, label, status, goal_status.cpu_seconds AS cpuSeconds
       FROM goals JOIN goal_status USING (run, goal)
       WHERE status IN ('solved', 'unsolved') AND features IS NOT NULL ORDER BY seq DESC LIMIT ?`,
      limit,
    )
    .map(({ status, ...row }) => ({
      ...decode<Omit<Lesson, 'solved'>>(row, 'features'),
      solved: status === 'solved',
    }));
}
