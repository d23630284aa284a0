import type { FoldKind, FoldResult, PolicyStanding } from '../core/lab/compare.ts';
import { alignColumns } from './format.ts';

/** The cost of each policy per fold and in all, beside the best choices in hindsight. */
export function policyTable(by: FoldKind, results: readonly FoldResult[]): string {
  const byPolicy = Map.groupBy(results, ({ policy }) => policy);
  const all = [...byPolicy].map(([policy, its]): FoldResult => {
    const sum = (key: 'goals' | 'cpu_seconds' | 'best_seconds' | 'least_seconds'): number =>
      its.reduce((total, one) => total + one[key], 0);
    return {
      fold: 'all',
      policy,
      goals: sum('goals'),
      cpu_seconds: sum('cpu_seconds'),
      best_seconds: sum('best_seconds'),
      least_seconds: sum('least_seconds'),
      course: [],
    };
  });
  const rows = [...results, ...all].map(({ fold, policy, goals, cpu_seconds, best_seconds }) => [
    fold,
    policy,
    String(goals),
    cpu_seconds.toFixed(1),
    best_seconds.toFixed(1),
    (cpu_seconds - best_seconds).toFixed(1),
  ]);
  return alignColumns(
    [[`unseen ${by}`, 'policy', 'goals', 'CPU-s', 'hindsight', 'regret'], ...rows],
    ['left', 'left', 'right', 'right', 'right', 'right'],
  );
}

/** What the contextual policy gains over its best rival. */
export function remarkOnPolicy(standing: PolicyStanding | undefined): string {
  if (!standing) return '';
  const { rival, share, closed, possible } = standing;
  return `contextual needs ${percent(share)} of the CPU of ${rival} and closes ${percent(closed)} of the gap to the best choices in hindsight; a perfect policy that tries cheap arms first would need ${percent(possible)}\n`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}
