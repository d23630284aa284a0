import type { Totals } from '../../shared/ledger.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Up to this age counters per hour are summed (at most 168 rows per arm and outcome); beyond it, counters per day. */
const finestMs = 7 * dayMs;

/** The counters that cover the time since a moment, rounded down to its hour or day. */
export function covering(since: number, now: number): readonly [span: string, since: number] {
  if (since <= 0) return ['all', 0];
  return now - since <= finestMs ? ['hour', beginningOfHour(since)] : ['day', since - (since % dayMs)];
}

export function beginningOfHour(since: number): number {
  return since - (since % hourMs);
}

/** From the counters per name. */
export function totalsFrom(
  rows: readonly { readonly name: string; readonly value: number | null }[],
): Totals {
  const values = new Map(rows.map(({ name, value }) => [name, value ?? 0]));
  const of = (name: string): number => values.get(name) ?? 0;
  return {
    goals_known: of('goals_known'),
    goals_solved: of('goals_solved'),
    goals_refuted: of('goals_refuted'),
    cached_goals: of('cached_goals'),
    successes: of('successes'),
  };
}
