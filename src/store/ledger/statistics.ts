import type { StrategyHour, StrategyRow, Totals } from '../../shared/ledger.ts';
import { decode, type Database } from './database.ts';

/** Everything here reads counters, never the attempts: it stays fast however many there are. */

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
