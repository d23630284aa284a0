import type { GoalRow } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';
import { goalsByJudge } from './unchecked.ts';

/** Number of earlier runs to look at. */
const runs = 50;

/** The goals of the last runs, newest run first, with statuses by the current judge. */
export async function lastGoals(ledger: Pick<Ledger, 'views'>, judge: string): Promise<GoalRow[]> {
  const goals: GoalRow[] = [];
  for (const { run } of await ledger.views.runs(runs)) goals.push(...(await ledger.views.goalsOf(run)));
  return await goalsByJudge(ledger, goals, judge);
}
