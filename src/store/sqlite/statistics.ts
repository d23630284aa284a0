import type { CacheEntry } from '../../shared/api.ts';
import type { StrategyHour, StrategyRow, Totals } from '../../shared/ledger.ts';
import { beginningOfHour, covering, totalsFrom } from '../ledger/spans.ts';
import { decode, type Database } from './database.ts';

/** All but `selectArmsOf` read counters, never the attempts: they stay fast however many there are. */

/** What attempts cost outside of our own processors. */
const spent = `sum(gpu_seconds) AS gpu_seconds, sum(cloud_seconds) AS cloud_seconds, sum(input_tokens) AS input_tokens,
  sum(output_tokens) AS output_tokens, sum(microdollars) AS microdollars`;

export function selectArms(database: Database, since: number, now: number): StrategyRow[] {
  return decode(
    database.all(
      `SELECT strategy, arm, sum(attempts) AS attempts, sum(successes) AS successes, sum(cpu_seconds) AS cpu_seconds,
         sum(wall_seconds) AS wall_seconds, ${spent}, sum(cache_hits) AS cache_hits,
         sum(attempts_with_hits) AS attempts_with_hits, json_group_object(outcome, attempts) AS outcomes
       FROM (
         SELECT strategy, arm, outcome, sum(attempts) AS attempts, sum(successes) AS successes,
           sum(cpu_seconds) AS cpu_seconds, sum(wall_seconds) AS wall_seconds, ${spent},
           sum(cache_hits) AS cache_hits, sum(attempts_with_hits) AS attempts_with_hits
         FROM statistics WHERE span = ? AND since >= ? GROUP BY strategy, arm, outcome)
       GROUP BY strategy, arm ORDER BY strategy, arm`,
      ...covering(since, now),
    ),
    'outcomes',
  );
}

export function selectHours(database: Database, since: number): StrategyHour[] {
  return decode(
    database.all(
      `SELECT since AS hour, strategy, sum(attempts) AS attempts, sum(successes) AS successes,
         sum(cpu_seconds) AS cpu_seconds
       FROM statistics WHERE span = 'hour' AND since >= ? GROUP BY since, strategy ORDER BY since, strategy`,
      beginningOfHour(since),
    ),
  );
}

export function selectTotals(database: Database): Totals {
  return totalsFrom(
    database.all(
      `SELECT name, value FROM counters
       UNION ALL SELECT 'successes', sum(successes) FROM statistics WHERE span = 'all'`,
    ),
  );
}

/** The same for one run, from its attempts: 10,000 of them take about 20 ms. */
export function selectArmsOf(database: Database, run: string): StrategyRow[] {
  return decode(
    database.all(
      `SELECT strategy, arm, sum(attempts) AS attempts, sum(successes) AS successes, sum(cpu_seconds) AS cpu_seconds,
         sum(wall_seconds) AS wall_seconds, ${spent}, sum(cache_hits) AS cache_hits,
         sum(attempts_with_hits) AS attempts_with_hits, json_group_object(outcome, attempts) AS outcomes
       FROM (
         SELECT strategy, arm, outcome, count(*) AS attempts, sum(cpu_seconds) AS cpu_seconds,
           sum(wall_seconds) AS wall_seconds, ${spent}, sum(cache_hits) AS cache_hits,
           sum(cache_hits > 0) AS attempts_with_hits,
           sum(EXISTS (SELECT 1 FROM proofs WHERE proofs.run = finished_attempts.run
             AND proofs.attempt = finished_attempts.attempt
             AND proofs.assurance IN ('replayed', 'second-kernel'))) AS successes
         FROM finished_attempts WHERE run = ? GROUP BY strategy, arm, outcome)
       GROUP BY strategy, arm ORDER BY strategy, arm`,
      run,
    ),
    'outcomes',
  );
}

export function selectCacheEntries(database: Database, limit: number): CacheEntry[] {
  return database.all<CacheEntry>(
    `SELECT cached.*, body ->> 'goal' AS goal, run FROM (
       SELECT goal_hash, tactics, use_count, success_rate, avg_time, last_used
       FROM tactic_cache ORDER BY use_count DESC, last_used DESC LIMIT ?) AS cached
     LEFT JOIN goal_history USING (goal_hash) LEFT JOIN events ON events.seq = goal_seq
     ORDER BY use_count DESC, last_used DESC`,
    limit,
  );
}
