import type { PolicyModel, PolicyName } from '../../shared/events.ts';
import { Bandit } from '../bandit.ts';
import { ContextualPolicy } from '../policy/contextual.ts';
import { makePolicy, ucb1Policy, type ArmLesson, type Policy } from '../policy/policy.ts';
import { trainModel, type GoalLesson } from '../policy/train.ts';
import { rewardOf } from '../rewards.ts';
import { cheapArms, otherArms, type ArmResult, type LabRow } from './record.ts';

/** The budget of an attempt, for the reward. */
const budgetSeconds = 8;
/** Up to this many arms that fail on a goal are combined in every way; of more, only the small combinations and the largest. */
const mostCombined = 4;

/** A policy trained on records. */
export function taught(name: PolicyName, rows: readonly LabRow[]): Policy {
  switch (name) {
    case 'ucb1': {
      const policy = ucb1Policy(new Bandit());
      for (const row of rows)
        for (const result of row.arms) policy.learn({ ...row, failed: [] }, lessonOf(result));
      return policy;
    }
    case 'static':
      return makePolicy('static', { arms: [], policy: modelOf(rows) });
    case 'contextual':
      return new ContextualPolicy(modelOf(rows));
  }
}

/** The initial policy of runs: the best fixed order, and a model of each arm. */
export function modelOf(rows: readonly LabRow[]): PolicyModel {
  return { ...trainModel(rows.flatMap(lessonsOf)), order: bestOrder(rows) };
}

export function lessonOf({ arm, solved, cpu_seconds }: ArmResult): ArmLesson {
  const reward = solved ? rewardOf({ workSeconds: cpu_seconds, budgetSeconds }) : 0;
  return { arm, reward, cpuSeconds: cpu_seconds };
}

/**
 * The lessons that a run could have learned from the goal. Cheap arms run first, so the others are lessons only
 * if those fail. Any of them may have been tried before, so each is a lesson once per combination of failed
 * others.
 */
function lessonsOf(row: LabRow): GoalLesson[] {
  const cheap = cheapArms(row);
  const first = cheap.map((result) => ({
    ...lessonOf(result),
    goal: { ...row, failed: [] },
    weight: 1,
  }));
  if (cheap.some(({ solved }) => solved)) return first;
  const others = otherArms(row).flatMap((result) => {
    const failing = otherArms(row).filter((one) => one !== result && !one.solved);
    const combinations = combined(failing.map(({ arm }) => arm));
    return combinations.map((some) => ({
      ...lessonOf(result),
      goal: { ...row, failed: [...cheap.map(({ arm }) => arm), ...some] },
      weight: 1 / combinations.length,
    }));
  });
  return [...first, ...others];
}

function combined(arms: readonly string[]): string[][] {
  if (arms.length > mostCombined) return [[], ...arms.map((arm) => [arm]), [...arms]];
  const all: string[][] = [[]];
  for (const arm of arms) all.push(...all.map((some) => [...some, arm]));
  return all;
}

/** Greedy order: next comes the arm that solves the most per CPU-second among the remaining goals. */
function bestOrder(rows: readonly LabRow[]): string[] {
  const order: string[] = [];
  let open = rows.filter((row) => cheapArms(row).every(({ solved }) => !solved));
  const arms = new Set(rows.flatMap((row) => otherArms(row).map(({ arm }) => arm)));
  while (arms.size > 0) {
    const rated = [...arms].map((arm) => ({ arm, rate: rateOf(open, arm) }));
    const { arm } = rated.reduce((best, one) => (one.rate > best.rate ? one : best));
    order.push(arm);
    arms.delete(arm);
    open = open.filter((row) => !row.arms.some((result) => result.arm === arm && result.solved));
  }
  return order;
}

function rateOf(rows: readonly LabRow[], arm: string): number {
  const results = rows.flatMap((row) => row.arms.filter((result) => result.arm === arm));
  const solved = results.filter((result) => result.solved).length;
  const seconds = results.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
  return (solved + 0.05) / (seconds + 1);
}
