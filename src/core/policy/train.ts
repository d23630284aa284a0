import { itemAt } from '../item-at.ts';
import type { ArmModel, PolicyModel } from '../../shared/events.ts';
import type { Weights } from '../difficulty.ts';
import { expectedCost, dot, inputsOf, noModel, sigmoid } from './contextual.ts';
import type { ArmLesson, PolicyGoal } from './policy.ts';
import { solveLinear } from './solve.ts';

/** A lesson and its goal. */
export interface GoalLesson extends ArmLesson {
  readonly goal: PolicyGoal;
  /** Its weight; one attempt may give several lessons. */
  readonly weight: number;
}

/** Regularises every weight towards the prior with the weight of this many lessons, so a handful of goals cannot overturn it. */
const pull = 3;
/** Newton steps; they converge after five or six. */
const rounds = 8;

/**
 * Updates each arm's prior from lessons: logistic regression for its chance, linear regression for the logarithm of its cost. Deterministic.
 */
export function trainModel(lessons: readonly GoalLesson[], before: PolicyModel = noModel): PolicyModel {
  const scales = Object.keys(before.scales).length > 0 ? before.scales : scalesOf(lessons);
  const byArm = Map.groupBy(lessons, ({ arm }) => arm);
  const names = new Set([...before.arms.map(({ arm }) => arm), ...byArm.keys()]);
  const arms = [...names].sort().flatMap((arm) => {
    const known = before.arms.find((model) => model.arm === arm);
    const its = byArm.get(arm);
    if (!its) return known ?? [];
    return trainArm(arm, its, scales, known);
  });
  return { order: before.order, scales, arms };
}

function trainArm(
  arm: string,
  lessons: readonly GoalLesson[],
  scales: PolicyModel['scales'],
  before: ArmModel | undefined,
): ArmModel {
  const inputs = lessons.map(({ goal }) => inputsOf(goal, scales));
  const weights = lessons.map(({ weight }) => weight);
  const solved = lessons.map(({ reward }) => Number(reward > 0));
  const costs = lessons.map(({ cpuSeconds }) => expectedCost(cpuSeconds));
  const fitting = (from: Weights, isFirst: boolean): Fitting => new Fitting(inputs, weights, from, isFirst);
  const chances = fitting(before?.chance ?? {}, !before);
  let chance: Weights = before?.chance ?? { bias: 0 };
  for (let round = 0; round < rounds; round++) {
    const now = inputs.map((input) => sigmoid(dot(chance, input)));
    chance = chances.step(
      chance,
      now.map((p, index) => p - itemAt(solved, index)),
      now.map((p) => p * (1 - p)),
    );
  }
  const first = before?.seconds ?? {};
  const misses = inputs.map((input, index) => dot(first, input) - itemAt(costs, index));
  const seconds = fitting(first, !before).step(
    first,
    misses,
    misses.map(() => 1),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const left = inputs.reduce(
    (sum, input, index) => sum + itemAt(weights, index) * (dot(seconds, input) - itemAt(costs, index)) ** 2,
    0,
  );
  const spread = ((before?.spread ?? 0) * pull + left) / (total + pull);
  return { arm, lessons: (before?.lessons ?? 0) + Math.round(total), chance, seconds, spread };
}

/** Newton's method on a weighted loss, regularised towards given weights. */
class Fitting {
  readonly #names: readonly string[];
  readonly #rows: readonly (readonly number[])[];
  readonly #weights: readonly number[];
  readonly #towards: Weights;
  readonly #isFirst: boolean;

  constructor(inputs: readonly Weights[], weights: readonly number[], towards: Weights, isFirst: boolean) {
    this.#names = [
      ...new Set([...Object.keys(towards), ...inputs.flatMap((one) => Object.keys(one))]),
    ].sort();
    this.#rows = inputs.map((input) => this.#names.map((name) => input[name] ?? 0));
    this.#weights = weights;
    this.#towards = towards;
    this.#isFirst = isFirst;
  }

  /** The weights after one step, given slope and curvature per lesson. */
  step(now: Weights, slopes: readonly number[], curvatures: readonly number[]): Weights {
    const size = this.#names.length;
    const matrix = Array.from({ length: size }, () => new Float64Array(size));
    const gradient = new Float64Array(size);
    for (const [index, row] of this.#rows.entries()) {
      const weight = itemAt(this.#weights, index);
      const slope = weight * itemAt(slopes, index);
      const curvature = weight * itemAt(curvatures, index);
      for (const [one, value] of row.entries()) {
        if (value === 0) continue;
        gradient[one] = itemAt(gradient, one) + slope * value;
        const line = itemAt(matrix, one);
        for (const [two, other] of row.entries()) line[two] = itemAt(line, two) + curvature * value * other;
      }
    }
    for (const [index, name] of this.#names.entries()) {
      const force = this.#pullOf(name);
      gradient[index] = itemAt(gradient, index) + force * ((now[name] ?? 0) - (this.#towards[name] ?? 0));
      const line = itemAt(matrix, index);
      line[index] = itemAt(line, index) + force;
    }
    const change = solveLinear(matrix, gradient);
    return Object.fromEntries(
      this.#names.map((name, index) => [name, (now[name] ?? 0) - itemAt(change, index)]),
    );
  }

  /** The first lessons decide an arm's base rate. */
  #pullOf(name: string): number {
    return name === 'bias' && this.#isFirst ? 0.1 : pull;
  }
}

function scalesOf(lessons: readonly GoalLesson[]): PolicyModel['scales'] {
  const names = [...new Set(lessons.flatMap(({ goal }) => Object.keys(goal.features)))].sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = lessons.map(({ goal }) => Math.log1p(Math.max(0, goal.features[name] ?? 0)));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
      // a feature that is the same everywhere carries no information
      return variance < 1e-6 ? [] : [[name, { mean, deviation: Math.sqrt(variance) }]];
    }),
  );
}
