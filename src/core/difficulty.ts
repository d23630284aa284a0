import { itemAt } from './item-at.ts';
import type { DifficultyLabel, GoalNode } from '../shared/events.ts';

export type Features = Readonly<Record<string, number>>;

/** One weight per feature; a feature without a weight has no effect. */
export type Weights = Readonly<Record<string, number>>;

/** Initial difficulty per label, before the goal is read. */
const starts: Readonly<Record<DifficultyLabel, number>> = { easy: 0.2, medium: 0.5, hard: 0.8 };

/**
 * The features of a domain are raw counts, which span orders of magnitude: each enters as ln(1 + x). Hand-chosen so that an unlabelled goal is easy up to one line and hard from one page on; `learnWeights` improves them.
 */
export const firstWeights: Weights = {
  nodes: 0.4,
  hypotheses: 0.2,
  metavariables: 0.4,
  quantifiers: 0.2,
  preamble_symbols: 0.4,
  resists_simp: 0.8,
  failures: 0.5,
  blueprint_waits: 0.2,
  blueprint_depth: 0.1,
  blueprint_criticality: 0.2,
  bias: -3,
};

/** σ(w·features), from 0 (easy) to 1 (hard), shifted by the given label. */
export function difficultyOf(
  features: Features,
  said: GivenDifficulty,
  weights: Weights = firstWeights,
): number {
  return sigmoid(logit(firstDifficulty(said)) + dot(weights, scaled(features)));
}

/** The user's estimate for a goal: a label, a number from 0 to 1, or nothing. */
export type GivenDifficulty = DifficultyLabel | number | null;

/** Bounds the user's number, so that features still have an effect. */
const bounds = [0.02, 0.98] as const;

/** Before Lean has read the goal, only the user's estimate is available. */
export function firstDifficulty(said: GivenDifficulty): number {
  if (typeof said === 'number') return Math.min(bounds[1], Math.max(bounds[0], said));
  return starts[said ?? 'medium'];
}

export function labelOf(difficulty: number): DifficultyLabel {
  if (difficulty < (starts.easy + starts.medium) / 2) return 'easy';
  return difficulty < (starts.medium + starts.hard) / 2 ? 'medium' : 'hard';
}

/** A past goal: its features and how hard it was. */
export interface PastGoal {
  readonly features: Features;
  readonly label: DifficultyLabel | null;
  readonly solved: boolean;
}

const rounds = 200;
const stepSize = 0.1;
/** Regularises towards the initial weights: a handful of goals must not overturn the estimate. */
const regularisation = 0.05;
const leastGoals = 20;

/**
 * Logistic regression on the ledger; hard means not solved. Deterministic; too few goals change nothing. Uses flat arrays, one row per goal.
 */
export function learnWeights(goals: readonly PastGoal[]): Weights {
  if (goals.length < leastGoals) return firstWeights;
  const names = [
    ...new Set([...Object.keys(firstWeights), ...goals.flatMap((goal) => Object.keys(goal.features))]),
  ];
  const inputs = Float64Array.from(
    goals.flatMap(({ features }) => {
      const known = scaled(features);
      return names.map((name) => known[name] ?? 0);
    }),
  );
  const offsets = Float64Array.from(goals, ({ label }) => logit(starts[label ?? 'medium']));
  const targets = Float64Array.from(goals, ({ solved }) => (solved ? 0 : 1));
  const first = Float64Array.from(names, (name) => firstWeights[name] ?? 0);
  const weights = first.slice();
  const gradient = new Float64Array(names.length);
  const width = names.length;
  for (let round = 0; round < rounds; round++) {
    gradient.fill(0);
    for (let goal = 0; goal < goals.length; goal++) {
      const row = goal * width;
      let sum = itemAt(offsets, goal);
      for (let name = 0; name < width; name++) sum += itemAt(weights, name) * itemAt(inputs, row + name);
      const miss = (sigmoid(sum) - itemAt(targets, goal)) / goals.length;
      for (let name = 0; name < width; name++)
        gradient[name] = itemAt(gradient, name) + miss * itemAt(inputs, row + name);
    }
    for (let name = 0; name < width; name++) {
      const pull = regularisation * (itemAt(weights, name) - itemAt(first, name));
      weights[name] = itemAt(weights, name) - stepSize * (itemAt(gradient, name) + pull);
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, itemAt(weights, index)]));
}

const importance = { criticality: 0.5, ease: 0.3, impact: 0.2 };

/** Easy goals first, but goals that many others depend on before those. */
export function priorityOf(difficulty: number, { criticality = 0, impact = 0 } = {}): number {
  return (
    importance.criticality * criticality + importance.ease * (1 - difficulty) + importance.impact * impact
  );
}

/** Goals that a user has put on the critical path come first. */
export const pinnedPriority = 1;

/** A lemma that a goal or a blueprint depends on is more important than its difficulty suggests. */
export function priorityFor(difficulty: number, requester: string | null, node?: GoalNode): number {
  const { criticality = 0, impact = 0 } = node ?? {};
  return priorityOf(difficulty, { criticality, impact: Math.max(impact, requester === null ? 0 : 0.5) });
}

function scaled(features: Features): Record<string, number> {
  const entries = Object.entries(features).map(([name, value]) => [name, Math.log1p(Math.max(0, value))]);
  return { ...Object.fromEntries(entries), bias: 1 };
}

function dot(weights: Weights, inputs: Features): number {
  return Object.entries(inputs).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const logit = (p: number): number => Math.log(p / (1 - p));
