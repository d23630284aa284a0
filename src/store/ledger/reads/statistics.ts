import type { Clock } from '../../../core/clock.ts';
import type { Views } from '../ledger.ts';
import { beginningOfHour, covering, totalsFrom } from '../spans.ts';
import type { Reader } from './reader.ts';

const spent = `sum(gpu_seconds) AS gpu_seconds, sum(cloud_seconds) AS cloud_seconds, sum(input_tokens) AS input_tokens,
  sum(output_tokens) AS output_tokens, sum(microdollars) AS microdollars`;

/** Combines rows per arm and outcome into one row per arm. */
const perArm = (
  { objectOf, byBytes }: Reader['dialect'],
  counted: string,
): string => `SELECT strategy, arm, sum(attempts) AS attempts, sum(successes) AS successes, sum(cpu_seconds) AS cpu_seconds,
    sum(wall_seconds) AS wall_seconds, ${spent}, sum(cache_hits) AS cache_hits,
    sum(attempts_with_hits) AS attempts_with_hits, ${objectOf('outcome', 'attempts')} AS outcomes
  FROM (${counted}) AS counted
  GROUP BY strategy, arm ORDER BY strategy${byBytes}, arm${byBytes}`;

type StatisticsViews = Pick<Views, 'arms' | 'armsOf' | 'strategiesByHour' | 'totals' | 'cacheEntries'>;

/** All but `armsOf` read counters instead of attempts, so they stay fast for any number of attempts. */
export const statisticsViews = ({ rows, dialect }: Reader, clock: Clock): StatisticsViews => ({
  async arms(since) {
    const counted = `SELECT strategy, arm, outcome, sum(attempts) AS attempts, sum(successes) AS successes,
        sum(cpu_seconds) AS cpu_seconds, sum(wall_seconds) AS wall_seconds, ${spent},
        sum(cache_hits) AS cache_hits, sum(attempts_with_hits) AS attempts_with_hits
      FROM statistics WHERE span = $1 AND since >= $2 GROUP BY strategy, arm, outcome`;
    return await rows(perArm(dialect, counted), covering(since, clock.date().getTime()), ['outcomes']);
  },
  /** 10,000 attempts take about 20 ms. */
  async armsOf(run) {
    const counted = `SELECT strategy, arm, outcome, count(*) AS attempts, sum(cpu_seconds) AS cpu_seconds,
        sum(wall_seconds) AS wall_seconds, ${spent}, sum(cache_hits) AS cache_hits,
        count(*) FILTER (WHERE cache_hits > 0) AS attempts_with_hits,
        count(*) FILTER (WHERE EXISTS (SELECT 1 FROM proofs WHERE proofs.run = finished_attempts.run
          AND proofs.attempt = finished_attempts.attempt
          AND proofs.assurance IN ('replayed', 'second-kernel'))) AS successes
      FROM finished_attempts WHERE run = $1 GROUP BY strategy, arm, outcome`;
    return await rows(perArm(dialect, counted), [run], ['outcomes']);
  },
  strategiesByHour: async (since) =>
    await rows(
      `SELECT since AS hour, strategy, sum(attempts) AS attempts, sum(successes) AS successes,
         sum(cpu_seconds) AS cpu_seconds
       FROM statistics WHERE span = 'hour' AND since >= $1
       GROUP BY since, strategy ORDER BY since, strategy${dialect.byBytes}`,
      [beginningOfHour(since)],
    ),
  totals: async () =>
    totalsFrom(
      await rows(
        `SELECT name, value FROM counters
         UNION ALL SELECT 'successes', sum(successes) FROM statistics WHERE span = 'all'`,
      ),
    ),
  cacheEntries: async (limit) =>
    await rows(
      `SELECT cached.*, body ->> 'goal' AS goal, run FROM (
         SELECT goal_hash, tactics, use_count, success_rate, avg_time, last_used
         FROM tactic_cache ORDER BY use_count DESC, last_used DESC LIMIT $1) AS cached
       LEFT JOIN goal_history USING (goal_hash) LEFT JOIN events ON events.seq = goal_seq
       ORDER BY use_count DESC, last_used DESC`,
      [limit],
    ),
});
