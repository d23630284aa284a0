import { outcomeKinds, type OutcomeKind } from '../../shared/events.ts';
import type { ArmStats, Stats, StrategyRow, StrategyStats } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

const lastRuns = 5;

/** The state of the work in one object, for `stats` and the dashboard. */
export async function summarise(
  { views, tickets }: Pick<Ledger, 'views' | 'tickets'>,
  since: number | null,
): Promise<Stats> {
  const arms = await views.arms(since ?? 0);
  const all = statsOf(arms);
  const { goals_known, goals_solved, goals_refuted, cached_goals } = await views.totals();
  return {
    since,
    total_attempts: all.attempts,
    successes: all.successes,
    success_rate: all.success_rate,
    cpu_seconds: all.cpu_seconds,
    runs_cpu_seconds: await views.cpuSeconds(),
    hit_rate: ratio(total(arms, 'attempts_with_hits'), all.attempts),
    cache_hits: all.cache_hits,
    cached_goals,
    goals_known,
    goals_solved,
    goals_refuted,
    solve_rate: ratio(goals_solved, goals_known),
    strategies: byStrategy(arms),
    tickets: await tickets.counts(),
    runs: await views.runs(lastRuns),
  };
}

function byStrategy(arms: readonly StrategyRow[]): StrategyStats[] {
  return [...Map.groupBy(arms, ({ strategy }) => strategy)].map(([strategy, its]) => ({
    strategy,
    ...statsOf(its),
    arms: its.map((row) => ({ arm: row.arm, ...statsOf([row]) })),
  }));
}

function statsOf(rows: readonly StrategyRow[]): ArmStats {
  const attempts = total(rows, 'attempts');
  const successes = total(rows, 'successes');
  return {
    attempts,
    successes,
    success_rate: ratio(successes, attempts),
    mean_seconds: ratio(total(rows, 'wall_seconds'), attempts),
    cpu_seconds: total(rows, 'cpu_seconds'),
    gpu_seconds: total(rows, 'gpu_seconds'),
    cloud_seconds: total(rows, 'cloud_seconds'),
    input_tokens: total(rows, 'input_tokens'),
    output_tokens: total(rows, 'output_tokens'),
    microdollars: total(rows, 'microdollars'),
    cache_hits: total(rows, 'cache_hits'),
    outcomes: addOutcomes(rows),
  };
}

function addOutcomes(rows: readonly StrategyRow[]): Partial<Record<OutcomeKind, number>> {
  const sums: Partial<Record<OutcomeKind, number>> = {};
  for (const { outcomes } of rows)
    for (const outcome of outcomeKinds) {
      const count = outcomes[outcome];
      if (count !== undefined) sums[outcome] = (sums[outcome] ?? 0) + count;
    }
  return sums;
}

type Counter =
  | 'attempts'
  | 'successes'
  | 'wall_seconds'
  | 'cpu_seconds'
  | 'gpu_seconds'
  | 'cloud_seconds'
  | 'input_tokens'
  | 'output_tokens'
  | 'microdollars'
  | 'cache_hits'
  | 'attempts_with_hits';

function total(rows: readonly StrategyRow[], counter: Counter): number {
  return rows.reduce((sum, row) => sum + row[counter], 0);
}

/** 0 of 0 is 0, so that a rate is always a number. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
