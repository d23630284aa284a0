/** The result of one arm on one goal, alone and up to its limit. */
export interface ArmResult {
  readonly arm: string;
  /** Arms of the lowest stage run first, whatever a policy prefers. */
  readonly stage: number;
  readonly solved: boolean;
  /** Attempt and judging. */
  readonly cpu_seconds: number;
}

/** A goal with the result of every arm: one line of a record. */
export interface LabRow {
  readonly goal: string;
  /** Its source: the recorded set, and the file or topic within it. Folds split by both. */
  readonly source: string;
  readonly file: string;
  readonly context: string;
  readonly features: Readonly<Record<string, number>>;
  readonly arms: readonly ArmResult[];
}

/** A lower bound: the cheapest arm that solves it; undefined if none does. */
export function hindsight({ arms }: LabRow): number | undefined {
  const costs = arms.filter(({ solved }) => solved).map(({ cpu_seconds }) => cpu_seconds);
  return costs.length === 0 ? undefined : Math.min(...costs);
}

/** A lower bound for policies, since cheap arms run first: those until one solves it, then the cheapest that does. */
export function leastCost(row: LabRow): number | undefined {
  let cost = 0;
  for (const { solved, cpu_seconds } of cheapArms(row)) {
    cost += cpu_seconds;
    if (solved) return cost;
  }
  const rest = hindsight({ ...row, arms: otherArms(row) });
  return rest === undefined ? undefined : cost + rest;
}

/** The arms of the lowest stage: cheap, and always first. */
export function cheapArms({ arms }: Pick<LabRow, 'arms'>): ArmResult[] {
  return arms.filter(({ stage }) => stage === lowestStage(arms));
}

export function otherArms({ arms }: Pick<LabRow, 'arms'>): ArmResult[] {
  return arms.filter(({ stage }) => stage !== lowestStage(arms));
}

function lowestStage(arms: readonly ArmResult[]): number {
  return Math.min(...arms.map(({ stage }) => stage));
}
