import type { FactorRun } from './factor-run.ts';
import type { RemoteRun } from './remote-run.ts';
import type { ServiceTimes } from './scale-model.ts';

/**
 * Costs derived from runs with several numbers of workers: costs per goal and costs per second are separated by the
 * runs' different lengths. The cost of the run's own thread is measured in runs without Lean.
 */
export function serviceTimes(runs: readonly RemoteRun[], withoutLean: readonly FactorRun[]): ServiceTimes {
  const sum = (of: (run: RemoteRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const [statementsOfGoal, statementsOfSecond] = fitted(
    runs.map(({ goals, workers, seconds, statements }) => [goals, (workers + 1) * seconds, statements]),
  );
  const [coordinator, hostOfSecond] = fitted(
    runs.map(({ goals, seconds, coordinator_cpu }) => [goals, seconds, coordinator_cpu]),
  );
  const host = mean(withoutLean.map(({ coordinator_cpu, goals }) => coordinator_cpu / goals));
  const worker = runs.flatMap(({ goal_cpu }) => goal_cpu);
  const workedOn = sum(({ goals, goal_cpu }) => goals * mean(goal_cpu));
  const beside = sum(({ worker_cpu }) => worker_cpu) - workedOn;
  return {
    worker,
    waits: [],
    judge: coordinator - host,
    host,
    statement: sum(({ server_cpu }) => server_cpu) / sum(({ statements }) => statements),
    statementsOfGoal,
    statementsOfSecond,
    hostOfSecond,
    workerOfSecond: Math.max(0, beside) / sum(({ workers, seconds }) => workers * seconds),
  };
}

/** Least squares for `a·x + b·y = z` with non-negative coefficients, since costs cannot be negative. */
function fitted(points: readonly (readonly [x: number, y: number, z: number])[]): [a: number, b: number] {
  const sum = (of: (x: number, y: number, z: number) => number): number =>
    points.reduce((total, point) => total + of(...point), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  const [xz, yz] = [sum((x, _, z) => x * z), sum((_, y, z) => y * z)];
  const determinant = xx * yy - xy * xy;
  const a = (xz * yy - yz * xy) / determinant;
  const b = (yz * xx - xz * xy) / determinant;
  if (!(a > 0)) return [0, yz / yy];
  if (!(b > 0)) return [xz / xx, 0];
  return [a, b];
}

export function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
}
