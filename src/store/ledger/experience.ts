import type { GoalHistory, KnownProof, Lesson } from '../../core/experience.ts';
import type { ArmRecord, TriedArm } from '../../shared/events.ts';
import { decode, type Database } from './database.ts';

/** What the engine asks while it decides. */

export function selectArmRecords(database: Database): ArmRecord[] {
  return decode(database.all('SELECT arm, context, trials, mean FROM arm_records ORDER BY arm, context'));
}

export function selectTried(database: Database, goalHash: string, fingerprint: string): TriedArm[] {
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

export function selectProofs(database: Database, goalHash: string): KnownProof[] {
  return decode(
    database.all(
      `SELECT proof, fingerprint, strategy, arm FROM proofs
       WHERE goal_hash = ? AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
      goalHash,
    ),
  );
}

export function selectGoalHistory(database: Database, goalHash: string): GoalHistory {
  const [row] = decode<GoalHistory>(
    database.all(
      'SELECT attempts, failures, proofs, cpu_seconds AS cpuSeconds FROM goal_history WHERE goal_hash = ?',
      goalHash,
    ),
  );
  return row ?? { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
}

export function selectLessons(database: Database, limit: number): Lesson[] {
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
