import { declarationIn } from '../../shared/goal-names.ts';
import type { GoalRow } from '../../shared/ledger.ts';
import type { Statement } from './blueprint.ts';
import type { Prospect } from './critical.ts';

/** Minimum cost, so that an instant proof is not infinitely valuable. */
const leastSeconds = 1;

/**
 * Estimates for a node from the goals of earlier runs, newest first. The chance is 1 − the learned difficulty; for an unseen node, the share of solved goals. The cost is what its goals have cost so far; for an unseen node, the average cost of a goal.
 */
export function prospectsFrom(goals: readonly GoalRow[]): (statement: Statement) => Prospect {
  const newest = new Map<string, GoalRow>();
  const spent = new Map<string, number>();
  for (const goal of goals) {
    const name = declarationIn(goal.goal);
    // a later try of the same run
    if (newest.get(name)?.run === goal.run || !newest.has(name)) newest.set(name, goal);
    spent.set(name, (spent.get(name) ?? 0) + goal.cpu_seconds);
  }
  const usual: Prospect = {
    chance:
      goals.length === 0 ? 0.5 : goals.filter(({ status }) => status === 'solved').length / goals.length,
    cost: goals.length === 0 ? leastSeconds : mean(goals.map(({ cpu_seconds }) => cpu_seconds)),
  };
  return ({ declarations }) => {
    const seen = declarations.flatMap((name) => newest.get(name) ?? []);
    const chance = seen.length === 0 ? usual.chance : seen.reduce((all, goal) => all * chanceOf(goal), 1);
    const cost =
      seen.length === 0 ? usual.cost : declarations.reduce((sum, name) => sum + (spent.get(name) ?? 0), 0);
    return { chance, cost: Math.max(leastSeconds, cost) };
  };
}

function chanceOf({ status, difficulty }: GoalRow): number {
  if (status === 'solved') return 1;
  return status === 'refuted' ? 0 : 1 - difficulty;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
