import { policyNames, type PolicyName } from '../../shared/events.ts';
import type { Policy } from '../policy/policy.ts';
import { cheapArms, hindsight, leastCost, otherArms, type LabRow } from './record.ts';
import { lessonOf, taught } from './teach.ts';

/** Result of a policy on the solvable goals of a fold, after learning from the other folds. */
export interface FoldResult {
  readonly fold: string;
  readonly policy: PolicyName;
  readonly goals: number;
  readonly cpu_seconds: number;
  /** Cost of the best order in hindsight. */
  readonly best_seconds: number;
  /** The same with cheap arms first, as every policy must run them. */
  readonly least_seconds: number;
  /** Cumulative cost per goal, for the plot. */
  readonly course: readonly number[];
}

export type FoldKind = 'file' | 'source';

/** Every policy on every fold: trained on all rows outside it, and still learning inside it. */
export function comparePolicies(rows: readonly LabRow[], by: FoldKind): FoldResult[] {
  const folds = Map.groupBy(rows, (row) => row[by]);
  return [...folds].flatMap(([fold, unseen]) => {
    const seen = rows.filter((row) => row[by] !== fold);
    return policyNames.map((policy) => ({ fold, policy, ...replayed(taught(policy, seen), unseen) }));
  });
}

/** Goal by goal: arms in the order of the policy until one solves it. A goal that none solves costs every policy the same. */
function replayed(policy: Policy, rows: readonly LabRow[]): Omit<FoldResult, 'fold' | 'policy'> {
  const course: number[] = [];
  let spent = 0;
  let best = 0;
  let possible = 0;
  for (const row of rows) {
    const least = hindsight(row);
    const cost = playGoal(policy, row);
    if (least === undefined) continue;
    spent += cost;
    best += least;
    possible += leastCost(row) ?? 0;
    course.push(spent);
  }
  return {
    goals: course.length,
    cpu_seconds: spent,
    best_seconds: best,
    least_seconds: possible,
    course,
  };
}

/** Cheap arms always run first; among the others the policy chooses, again after each failure. */
function playGoal(policy: Policy, row: LabRow): number {
  let cost = 0;
  const failed: string[] = [];
  for (const part of [cheapArms(row), otherArms(row)]) {
    const left = new Map(part.map((result) => [result.arm, result]));
    while (left.size > 0) {
      const goal = { ...row, failed: [...failed] };
      const [choice] = policy.rank(goal, [...left.keys()]);
      const result = choice && left.get(choice.arm);
      if (!result) break;
      cost += result.cpu_seconds;
      policy.learn(goal, lessonOf(result));
      if (result.solved) return cost;
      failed.push(result.arm);
      left.delete(result.arm);
    }
  }
  return cost;
}

/** Result of a policy on all folds, compared with the better of its rivals. */
export interface PolicyStanding {
  readonly rival: PolicyName;
  /** Of the rival's CPU-seconds. */
  readonly share: number;
  /** The share of the gap between the rival and the best in hindsight that it closes. */
  readonly closed: number;
  /** CPU-seconds of a perfect policy as a share of the rival's, with cheap arms first. */
  readonly possible: number;
}

export function policyStanding(
  results: readonly FoldResult[],
  policy: PolicyName,
): PolicyStanding | undefined {
  const spent = (name: PolicyName): number =>
    results.reduce((sum, one) => sum + (one.policy === name ? one.cpu_seconds : 0), 0);
  const own = results.filter((one) => one.policy === policy);
  const best = own.reduce((sum, one) => sum + one.best_seconds, 0);
  const least = own.reduce((sum, one) => sum + one.least_seconds, 0);
  const rivals = policyNames.filter((name) => name !== policy);
  const rival = rivals.reduce((one, two) => (spent(two) < spent(one) ? two : one));
  const gap = spent(rival) - best;
  if (gap <= 0) return undefined;
  return {
    rival,
    share: spent(policy) / spent(rival),
    closed: (spent(rival) - spent(policy)) / gap,
    possible: least / spent(rival),
  };
}
