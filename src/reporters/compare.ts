import type { GoalResult, Results } from './results.ts';

/** What changed from run A to run B. */
export interface Comparison extends GoalsCompared<GoalResult> {
  readonly totals: readonly Total[];
}
/** The compared fields of a goal. */
interface Comparable {
  readonly id: string;
  readonly solved: boolean;
  readonly cpu_seconds: number;
}
interface GoalsCompared<Row> {
  readonly gained: readonly Row[];
  readonly lost: readonly Row[];
  /** Goals solved in both, with CPU costs that differ by more than noise; largest change first. */
  readonly slower: readonly Change[];
  readonly faster: readonly Change[];
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}
export interface Change {
  readonly id: string;
  readonly cpu_seconds_a: number;
  readonly cpu_seconds_b: number;
}
export interface Total {
  readonly name: string;
  readonly a: number | string;
  readonly b: number | string;
}

/** Differences below a quarter or half a CPU-second are noise. */
const noiseShare = 0.25;
const noiseSeconds = 0.5;

export function compareResults(a: Results, b: Results): Comparison {
  return { ...compareGoals(a.goals, b.goals), totals: totals(a, b) };
}

export function compareGoals<Row extends Comparable>(
  a: readonly Row[],
  b: readonly Row[],
): GoalsCompared<Row> {
  const before = new Map(a.map((row) => [row.id, row]));
  const after = new Map(b.map((row) => [row.id, row]));
  const both = a.flatMap((row) => {
    const other = after.get(row.id);
    return other === undefined ? [] : [{ a: row, b: other }];
  });
  const changes = both
    .filter((pair) => pair.a.solved && pair.b.solved)
    .map((pair) => ({ id: pair.a.id, cpu_seconds_a: pair.a.cpu_seconds, cpu_seconds_b: pair.b.cpu_seconds }))
    .filter(isMoreThanNoise)
    .sort((one, two) => Math.abs(growth(two)) - Math.abs(growth(one)));
  return {
    gained: both.filter((pair) => !pair.a.solved && pair.b.solved).map((pair) => pair.b),
    lost: both.filter((pair) => pair.a.solved && !pair.b.solved).map((pair) => pair.b),
    slower: changes.filter((change) => growth(change) > 0),
    faster: changes.filter((change) => growth(change) < 0),
    onlyInA: [...before.keys()].filter((id) => !after.has(id)),
    onlyInB: [...after.keys()].filter((id) => !before.has(id)),
  };
}

function growth({ cpu_seconds_a, cpu_seconds_b }: Change): number {
  return cpu_seconds_b - cpu_seconds_a;
}

function isMoreThanNoise(change: Change): boolean {
  const difference = Math.abs(growth(change));
  return (
    difference > noiseSeconds &&
    difference > noiseShare * Math.min(change.cpu_seconds_a, change.cpu_seconds_b)
  );
}

const compared = [
  'goals_total',
  'goals_processed',
  'goals_solved',
  'cpu_seconds',
  'lean_cpu_seconds',
  'host_cpu_seconds',
  'wall_seconds',
  'utilisation',
  'seed',
  'toolchain',
  'version',
] as const satisfies readonly (keyof Results)[];

function totals(a: Results, b: Results): Total[] {
  return [
    { name: 'profile', a: a.config.profile, b: b.config.profile },
    ...compared.map((name) => ({ name, a: a[name], b: b[name] })),
  ];
}
