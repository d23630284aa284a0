import { policies, type Policy, type PolicyName } from './policies.ts';
import { hindsight, type LabRow } from './record.ts';

/** How a policy did on the goals of a fold that some arm solves, after the other folds had taught it. */
export interface FoldResult {
  readonly fold: string;
  readonly policy: PolicyName;
  readonly goals: number;
  readonly cpu_seconds: number;
  /** What the hindsight-best order would have cost. */
  readonly best_seconds: number;
  /** What it cost after each goal, for a picture. */
  readonly course: readonly number[];
}

export type FoldKind = 'file' | 'source';

/** Every policy on every fold: taught by all rows outside of it, and going on to learn inside. */
export function comparePolicies(rows: readonly LabRow[], by: FoldKind): FoldResult[] {
  const folds = Map.groupBy(rows, (row) => row[by]);
  return [...folds].flatMap(([fold, unseen]) =>
    (Object.keys(policies) as PolicyName[]).map((name) => {
      const policy = policies[name]();
      for (const row of rows) if (row[by] !== fold) for (const result of row.arms) policy.learn(row, result);
      return { fold, policy: name, ...replayed(policy, unseen) };
    }),
  );
}

/** Goal by goal: arms in the order of the policy until one solves it. A goal that none solves costs every policy the same. */
function replayed(policy: Policy, rows: readonly LabRow[]): Omit<FoldResult, 'fold' | 'policy'> {
  const course: number[] = [];
  let spent = 0;
  let best = 0;
  for (const row of rows) {
    const least = hindsight(row);
    const cost = playGoal(policy, row);
    if (least === undefined) continue;
    spent += cost;
    best += least;
    course.push(spent);
  }
  return { goals: course.length, cpu_seconds: spent, best_seconds: best, course };
}

function playGoal(policy: Policy, row: LabRow): number {
  let cost = 0;
  const stages = [...new Set(row.arms.map(({ stage }) => stage))].sort((one, two) => one - two);
  // the cheap arm always goes first; among the others the policy decides
  const [first = 0] = stages;
  const cheap = row.arms.filter(({ stage }) => stage === first).map(({ arm }) => arm);
  const others = row.arms.filter(({ stage }) => stage !== first).map(({ arm }) => arm);
  for (const name of [...policy.order(row, cheap), ...policy.order(row, others)]) {
    const result = row.arms.find(({ arm }) => arm === name);
    if (!result) continue;
    cost += result.cpu_seconds;
    policy.learn(row, result);
    if (result.solved) break;
  }
  return cost;
}

/** The share of the gap between a policy and the hindsight-best that another one closes. */
export function gapClosed(rival: FoldResult, policy: FoldResult): number {
  const gap = rival.cpu_seconds - rival.best_seconds;
  return gap <= 0 ? 0 : (rival.cpu_seconds - policy.cpu_seconds) / gap;
}
