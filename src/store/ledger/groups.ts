import type { GoalListRow } from '../../shared/api.ts';
import type { GoalGroup } from '../../shared/ledger.ts';
import type { Ledger } from './ledger.ts';

/** By what `stats --by` puts goals together; strategies have a summary of their own. */
export type Grouping = 'topic' | 'file';

const runsLookedAt = 1000;

/**
 * The outcomes of the goals of each topic or file, since a moment: a goal that several runs had counts once, as the newest of
 * them left it, and cost what it cost in all of them. the most expensive group first.
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
