import type { CacheEntry } from '../../shared/api.ts';
import type { StrategyHour, StrategyRow, Totals } from '../../shared/ledger.ts';
import { decode, type Database } from './database.ts';

/** All but `selectArmsOf` read counters, never the attempts: they stay fast however many there are. */

const hourMs = 3_600_000;

export function selectArms(database: Database, since: number): StrategyRow[] {
  return database
    .all(
      `SELECT strategy, arm, sum(attempts) AS attempts, sum(successes) AS successes, sum(cpu_seconds) AS cpu_seconds,
         sum(wall_seconds) AS wall_seconds, sum(cache_hits) AS cache_hits,
         sum(attempts_with_hits) AS attempts_with_hits, json_group_object(outcome, attempts) AS outcomes
       FROM (
         SELECT strategy, arm, outcome, sum(attempts) AS attempts, sum(successes) AS successes,
           sum(cpu_seconds) AS cpu_seconds, sum(wall_seconds) AS wall_seconds, sum(cache_hits) AS cache_hits,
           sum(attempts_with_hits) AS attempts_with_hits
         FROM statistics WHERE hour >= ? GROUP BY strategy, arm, outcome)
       GROUP BY strategy, arm ORDER BY strategy, arm`,
      Math.floor(since / hourMs),
    )
    .map((row) => decode(row, 'outcomes'));
}

export function selectHours(database: Database, since: number): StrategyHour[] {
  return database
    .all(
      `SELECT hour * ${hourMs} AS hour, strategy, sum(attempts) AS attempts, sum(successes) AS successes,
         sum(cpu_seconds) AS cpu_seconds
       FROM statistics WHERE hour >= ? GROUP BY statistics.hour, strategy ORDER BY statistics.hour, strategy`,
      Math.floor(since / hourMs),
    )
    .map((row) => decode(row));
}

export function selectTotals(database: Database): Totals {
  const row = database.get(
    `SELECT count(*) AS goals_known, count(*) FILTER (WHERE proofs > 0) AS goals_solved,
       (SELECT count(*) FROM (SELECT DISTINCT goal_hash FROM tactic_cache WHERE successes > 0)) AS cached_goals
     FROM goal_history`,
  );
  return decode(row ?? {});
}

/** The same for one run, from its attempts: 10,000 of them take about 20 ms. */
export function selectArmsOf(database: Database, run: string): StrategyRow[] {
  return database
    .all(
      `SELECT strategy, arm, sum(attempts) AS attempts, sum(successes) AS successes, sum(cpu_seconds) AS cpu_seconds,
         sum(wall_seconds) AS wall_seconds, sum(cache_hits) AS cache_hits,
         sum(attempts_with_hits) AS attempts_with_hits, json_group_object(outcome, attempts) AS outcomes
       FROM (
         SELECT strategy, arm, outcome, count(*) AS attempts, sum(cpu_seconds) AS cpu_seconds,
           sum(wall_seconds) AS wall_seconds, sum(cache_hits) AS cache_hits, sum(cache_hits > 0) AS attempts_with_hits,
           sum(EXISTS (SELECT 1 FROM proofs WHERE proofs.run = finished_attempts.run
             AND proofs.attempt = finished_attempts.attempt
             AND proofs.assurance IN ('replayed', 'second-kernel'))) AS successes
         FROM finished_attempts WHERE run = ? GROUP BY strategy, arm, outcome)
       GROUP BY strategy, arm ORDER BY strategy, arm`,
      run,
    )
    .map((row) => decode(row, 'outcomes'));
}

export function selectCacheEntries(database: Database, limit: number): CacheEntry[] {
  return database.all<CacheEntry>(
    `SELECT goal_hash, tactics, use_count, success_rate, avg_time, last_used
     FROM tactic_cache ORDER BY use_count DESC, last_used DESC LIMIT ?`,
    limit,
  );
}
