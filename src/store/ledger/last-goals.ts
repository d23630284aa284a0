import type { GoalRow } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

/** So many runs are looked back upon. */
const runs = 50;

/** The goals of the last runs, the newest run first. */
export async function lastGoals({ views }: Pick<Ledger, 'views'>): Promise<GoalRow[]> {
  const goals: GoalRow[] = [];
  for (const { run } of await views.runs(runs)) goals.push(...(await views.goalsOf(run)));
  return goals;
}
