import type { ArmChoice, ArmModel, PolicyModel } from '../../shared/events.ts';
import type { Weights } from '../difficulty.ts';
import type { ArmLesson, Policy, PolicyGoal } from './policy.ts';

/** Learning rate per attempt: a warm start has the weight of hundreds of attempts. */
const stepSize = 0.03;
/** Prior of an unknown arm: a chance of 1 in 20 at about two CPU-seconds. */
const unheard = { lessons: 0, chance: { bias: -3 }, seconds: { bias: 0.7 }, spread: 0 } as const;
/** Minimum cost of an attempt; less is noise. */
const leastSeconds = 0.02;

export const noModel: PolicyModel = { order: [], scales: {}, arms: [] };

/**
 * Estimates chance and cost of each arm from the goal's features and earlier failures: σ(w·inputs) and exp(v·inputs). Orders by chance per CPU-second, which is optimal if arms fail independently.
 */
export class ContextualPolicy implements Policy {
  readonly #scales: PolicyModel['scales'];
  readonly #models: Map<string, ArmModel>;

  constructor({ scales, arms }: PolicyModel = noModel) {
    this.#scales = scales;
    this.#models = new Map(arms.map((model) => [model.arm, model]));
  }

  rank(goal: PolicyGoal, arms: readonly string[]): ArmChoice[] {
    const inputs = inputsOf(goal, this.#scales);
    return arms
      .map((arm) => {
        const model = this.#models.get(arm) ?? unheard;
        const mean = chanceOf(model, inputs);
        const seconds = secondsOf(model, inputs);
        return { arm, score: mean / seconds, mean, trials: model.lessons, seconds };
      })
      .sort((one, two) => two.score - one.score);
  }

  /** One gradient step on both errors. */
  learn(goal: PolicyGoal, { arm, reward, cpuSeconds }: ArmLesson): void {
    const inputs = inputsOf(goal, this.#scales);
    const model = this.#models.get(arm) ?? { ...unheard, arm };
    const { lessons, chance, seconds } = model;
    this.#models.set(arm, {
      ...model,
      lessons: lessons + 1,
      chance: moved(chance, inputs, chanceOf(model, inputs) - Number(reward > 0)),
      seconds: moved(seconds, inputs, dot(seconds, inputs) - expectedCost(cpuSeconds)),
    });
  }
}

/** ln(1 + feature), standardised; contexts and failed arms are 0 or 1. */
export function inputsOf({ context, features, failed }: PolicyGoal, scales: PolicyModel['scales']): Weights {
  const scaled = Object.entries(scales).map(([name, { mean, deviation }]) => [
    name,
    (Math.log1p(Math.max(0, features[name] ?? 0)) - mean) / deviation,
  ]);
  const flags = [`context ${context}`, ...failed.map((arm) => `failed ${arm}`)].map((name) => [name, 1]);
  return { ...Object.fromEntries([...scaled, ...flags]), bias: 1 };
}

export function expectedCost(cpuSeconds: number): number {
  return Math.log(Math.max(leastSeconds, cpuSeconds));
}

function chanceOf({ chance }: Pick<ArmModel, 'chance'>, inputs: Weights): number {
  return sigmoid(dot(chance, inputs));
}

/** The mean of log-normal costs. */
function secondsOf({ seconds, spread }: Pick<ArmModel, 'seconds' | 'spread'>, inputs: Weights): number {
  return Math.exp(dot(seconds, inputs) + spread / 2);
}

function moved(weights: Weights, inputs: Weights, miss: number): Weights {
  const names = new Set([...Object.keys(weights), ...Object.keys(inputs)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (weights[name] ?? 0) - stepSize * miss * (inputs[name] ?? 0)]),
  );
}

export function dot(weights: Weights, inputs: Weights): number {
  return Object.entries(inputs).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
