import type { GoalListRow } from '../../shared/api.ts';
import type { GoalGroup } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

/** The groupings of `stats --by`; strategies have a separate summary. */
export type Grouping = 'topic' | 'file';

const runsLookedAt = 1000;

/**
 * The outcomes of goals per topic or file since a moment, most expensive group first. A goal of several runs counts once, with
 * its newest outcome and its cost in all of them.
 */
export async function groupGoals(
  { views }: Pick<Ledger, 'views'>,
  by: Grouping,
  since: number | null,
): Promise<GoalGroup[]> {
  const runs = (await views.runs(runsLookedAt)).filter(({ started }) => started >= (since ?? 0));
  const groups = new Map<string, Map<string, GoalListRow[]>>();
  for (const { run } of runs)
    for (const row of await views.goalList(run)) {
      const name = nameOf(row, by);
      const goals = groups.get(name) ?? new Map<string, GoalListRow[]>();
      groups.set(name, goals);
      const identity = row.goal_hash ?? row.goal;
      goals.set(identity, [...(goals.get(identity) ?? []), row]);
    }
  return [...groups]
    .map(([group, goals]) => sumUp(group, [...goals.values()]))
    .sort((one, two) => two.cpu_seconds - one.cpu_seconds || one.group.localeCompare(two.group, 'en'));
}

/** `goals`: each with its rows, the newest run first. */
function sumUp(group: string, goals: readonly (readonly GoalListRow[])[]): GoalGroup {
  const all = goals.flat();
  const count = (status: string): number => goals.filter(([newest]) => newest?.status === status).length;
  const sum = (key: 'attempts' | 'cpu_seconds'): number => all.reduce((total, row) => total + row[key], 0);
  return {
    group,
    goals: goals.length,
    solved: count('solved'),
    refuted: count('refuted'),
    attempts: sum('attempts'),
    cpu_seconds: sum('cpu_seconds'),
  };
}

/** Goals of the market and of a command line have no file. */
function nameOf({ topic, source }: GoalListRow, by: Grouping): string {
  return (by === 'topic' ? topic : source?.replace(/:\d+$/, '')) ?? `no ${by}`;
}
