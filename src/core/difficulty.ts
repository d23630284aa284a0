import type { DifficultyLabel } from '../shared/events.ts';

export type Features = Readonly<Record<string, number>>;

/** One weight a feature. A feature without one counts nothing. */
export type Weights = Readonly<Record<string, number>>;

/** Where a label starts, before anything is known of the goal itself. */
const starts: Readonly<Record<DifficultyLabel, number>> = { easy: 0.2, medium: 0.5, hard: 0.8 };

/** Counts span orders of magnitude, so each enters as ln(1 + x). Chosen by hand; `learnWeights` improves them. */
export const firstWeights: Weights = {
  nodes: 0.3,
  hypotheses: 0.15,
  metavariables: 0.4,
  quantifiers: 0.2,
  preamble_symbols: 0.3,
  failures: 0.5,
  bias: -1.6,
};

/** σ(w·features), 0 easy to 1 hard, shifted by the label that somebody gave. */
export function difficultyOf(
  features: Features,
  label: DifficultyLabel | null,
  weights: Weights = firstWeights,
): number {
  return sigmoid(logit(starts[label ?? 'medium']) + dot(weights, scaled(features)));
}

/** Before Lean has seen the goal only its label is known. */
export function firstDifficulty(label: DifficultyLabel | null): number {
  return starts[label ?? 'medium'];
}

export function labelOf(difficulty: number): DifficultyLabel {
  if (difficulty < (starts.easy + starts.medium) / 2) return 'easy';
  return difficulty < (starts.medium + starts.hard) / 2 ? 'medium' : 'hard';
}

/** A goal of the past: what it looked like, and how hard it turned out to be. */
export interface PastGoal {
  readonly features: Features;
  readonly label: DifficultyLabel | null;
  readonly solved: boolean;
}

const rounds = 200;
const stepSize = 0.1;
/** Pulls towards the first weights: a handful of goals must not turn the estimate over. */
const regularisation = 0.05;
const leastGoals = 20;

/** Logistic regression on the ledger: hard means that it was not solved. Deterministic; too few goals change nothing. */
export function learnWeights(goals: readonly PastGoal[]): Weights {
  if (goals.length < leastGoals) return firstWeights;
  const names = [
    ...new Set([...Object.keys(firstWeights), ...goals.flatMap((goal) => Object.keys(goal.features))]),
  ];
  const examples = goals.map(({ features, label, solved }) => ({
    inputs: scaled(features),
    offset: logit(starts[label ?? 'medium']),
    target: solved ? 0 : 1,
  }));
  let weights: Record<string, number> = { ...firstWeights };
  for (let round = 0; round < rounds; round++) {
    const gradient: Record<string, number> = {};
    for (const { inputs, offset, target } of examples) {
      const miss = sigmoid(offset + dot(weights, inputs)) - target;
      for (const name of names)
        gradient[name] = (gradient[name] ?? 0) + (miss * (inputs[name] ?? 0)) / examples.length;
    }
    weights = Object.fromEntries(
      names.map((name) => {
        const weight = weights[name] ?? 0;
        const pull = regularisation * (weight - (firstWeights[name] ?? 0));
        return [name, weight - stepSize * ((gradient[name] ?? 0) + pull)];
      }),
    );
  }
  return weights;
}

const importance = { criticality: 0.5, ease: 0.3, impact: 0.2 };

/** Easy goals first, but what much depends on before that. */
export function priorityOf(difficulty: number, { criticality = 0, impact = 0 } = {}): number {
  return (
    importance.criticality * criticality + importance.ease * (1 - difficulty) + importance.impact * impact
  );
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
