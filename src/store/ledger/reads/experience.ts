import type { Clock } from '../../../core/clock.ts';
import type { TriedArm } from '../../../shared/events.ts';
import type { Experience, GoalHistory, Lesson } from '../experience.ts';
import type { Reader } from './reader.ts';
import { resuming } from './runs.ts';
import { searchMemory, type SearchWriter } from './search-memory.ts';

/** The engine's queries, and the search memory. */
export const ledgerExperience = (reader: Reader, writer: SearchWriter, clock: Clock): Experience => ({
  ...resuming(reader),
  ...learned(reader),
  ...searchMemory(reader, writer, clock),
});

function learned({
  rows,
  dialect: { byBytes },
}: Reader): Omit<Experience, keyof ReturnType<typeof resuming> | keyof ReturnType<typeof searchMemory>> {
  return {
    armRecords: async () =>
      await rows(
        `SELECT arm, context, trials, mean FROM arm_records ORDER BY arm${byBytes}, context${byBytes}`,
      ),
    async tried(goalHash, fingerprint) {
      // as text, because PostgreSQL cannot compare JSON
      const found = await rows<Omit<TriedArm, 'limits'> & { limits: string }>(
        `SELECT * FROM (
           SELECT DISTINCT arm, signature, CAST(params AS text) AS limits FROM finished_attempts
           WHERE goal_hash = $1 AND fingerprint = $2 AND outcome IN ('failed', 'exhausted')) AS failed
         ORDER BY arm${byBytes}, signature${byBytes}, limits${byBytes}`,
        [goalHash, fingerprint],
      );
      return found.map((row) => ({ ...row, limits: JSON.parse(row.limits) as TriedArm['limits'] }));
    },
    provedBefore: async (goalHash) =>
      await rows(
        `SELECT proof, fingerprint, strategy, arm, judge FROM proofs
         WHERE goal_hash = $1 AND assurance IN ('replayed', 'second-kernel') ORDER BY seq DESC`,
        [goalHash],
      ),
    async provedFromOthers(goalHash) {
      const found = await rows<{ proof: string }>(
        `SELECT verdicts.proof FROM verdicts JOIN goals USING (run, goal)
         WHERE goals.goal_hash = $1 AND verdicts.kind = 'conditional' ORDER BY verdicts.seq DESC`,
        [goalHash],
      );
      return [...new Set(found.map(({ proof }) => proof))];
    },
    async refutedBefore() {
      const found = await rows<{ hash: string }>(
        `SELECT DISTINCT goals.goal_hash AS hash FROM goals JOIN goal_status USING (run, goal)
         WHERE status = 'refuted' AND goals.goal_hash IS NOT NULL`,
      );
      return found.map(({ hash }) => hash);
    },
    async goalHistory(goalHash) {
      const [row] = await rows<GoalHistory>(
        'SELECT attempts, failures, proofs, cpu_seconds AS "cpuSeconds" FROM goal_history WHERE goal_hash = $1',
        [goalHash],
      );
      return row ?? { attempts: 0, failures: 0, proofs: 0, cpuSeconds: 0 };
    },
    async lessons(limit) {
      const found = await rows<Omit<Lesson, 'solved'> & { status: string }>(
        `SELECT features, label, status, goal_status.cpu_seconds AS "cpuSeconds"
         FROM goals JOIN goal_status USING (run, goal)
         WHERE status IN ('solved', 'refuted', 'unsolved') AND features IS NOT NULL ORDER BY seq DESC LIMIT $1`,
        [limit],
        ['features'],
      );
      return found.map(({ status, ...lesson }) => ({ ...lesson, solved: status === 'solved' }));
    },
    armLessons: async (limit) =>
      await rows(
        `SELECT run, goal, arm, context, features, reward, finished_attempts.cpu_seconds AS "cpuSeconds"
         FROM finished_attempts JOIN goals USING (run, goal)
         WHERE reward IS NOT NULL AND features IS NOT NULL ORDER BY finished_attempts.seq DESC LIMIT $1`,
        [limit],
        ['features'],
      ),
  };
}
