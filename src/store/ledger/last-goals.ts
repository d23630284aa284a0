import type { GoalRow, RunRow } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';
import { goalsByJudge } from './unchecked.ts';

/** Number of earlier runs to look at. */
const runs = 50;

/** The goals of a project's last runs, newest run first, with statuses by the current judge. */
export async function lastGoals(
  ledger: Pick<Ledger, 'views'>,
  judge: string,
  project?: string,
): Promise<GoalRow[]> {
  const goals: GoalRow[] = [];
  for (const { run, config } of await ledger.views.runs(runs))
    if (isOfProject(config, project)) goals.push(...(await ledger.views.goalsOf(run)));
  return await goalsByJudge(ledger, goals, judge);
}

/** Runs of older versions name no project and count for each. */
export function isOfProject(config: RunRow['config'], project: string | undefined): boolean {
  return project === undefined || config.project === undefined || config.project === project;
}
