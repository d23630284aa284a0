import { comparatorVersion, featureOrder, type FeatureVector } from '../../verify/comparator.ts';
import { seedFrom } from '../../../core/rng.ts';
import type { RankingPair } from '../schemas.ts';
import { deterministicCritic, linear, trainedCritic, type Critic, type CriticCheckpoint } from './score.ts';

/** One judgement: of two vectors that have not seen a pair, the first one's program gets that pair right. */
interface Judgement {
  readonly right: FeatureVector;
  readonly wrong: FeatureVector;
}

const rounds = 200;
const rate = 0.5;
const decay = 1e-3;

/** The judgements of pairs whose task is, or is not, in the half that is held back; a task is never in both. */
function judgementsOf(pairs: readonly RankingPair[], half: 'train' | 'test'): Judgement[] {
  return pairs
    .filter(({ task_id }) => (seedFrom('half', task_id) % 2 === 0) === (half === 'train'))
    .flatMap(({ heldout }) =>
      heldout.map(({ a_vec, b_vec, label_heldout }) =>
        label_heldout === 'a' ? { right: a_vec, wrong: b_vec } : { right: b_vec, wrong: a_vec },
      ),
    );
}

/** Logistic regression on differences of vectors: plain steps in a fixed order, so equal data give equal weights. */
export function trainCritic(pairs: readonly RankingPair[]): CriticCheckpoint {
  const data = judgementsOf(pairs, 'train');
  const differences = data.map(({ right, wrong }) => featureOrder.map((name) => right[name] - wrong[name]));
  let weights = featureOrder.map(() => 0);
  for (let round = 0; round < rounds && differences.length > 0; round++) {
    const step = featureOrder.map(() => 0);
    for (const difference of differences) {
      const margin = difference.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
      const doubt = 1 / (1 + Math.exp(margin));
      for (const [i, value] of difference.entries()) step[i] = (step[i] ?? 0) + doubt * value;
    }
    weights = weights.map(
      (weight, i) => weight + rate * ((step[i] ?? 0) / differences.length - decay * weight),
    );
  }
  const checkpoint: CriticCheckpoint = {
    kind: 'arc-critic',
    version: 1,
    comparator: comparatorVersion,
    weights: weights.map((weight) => Math.round(weight * 1e6) / 1e6),
    card: {},
  };
  return { ...checkpoint, card: { ...evaluateCritic(checkpoint, pairs), judgements_train: data.length } };
}

export interface CriticFigures {
  readonly judgements: number;
  /** The share of judgements of held-back tasks that each critic gets right; a tie counts one half. */
  readonly trained: number;
  readonly deterministic: number;
}

/** Both critics on the tasks that training has not seen. */
export function evaluateCritic(checkpoint: CriticCheckpoint, pairs: readonly RankingPair[]): CriticFigures {
  const data = judgementsOf(pairs, 'test');
  return {
    judgements: data.length,
    trained: shareRight(data, trainedCritic(checkpoint)),
    deterministic: shareRight(data, deterministicCritic),
  };
}

function shareRight(data: readonly Judgement[], critic: Critic): number {
  let right = 0;
  for (const one of data) {
    const gap = critic.score(one.right, scoreOf(one.right)) - critic.score(one.wrong, scoreOf(one.wrong));
    right += gap > 0 ? 1 : gap === 0 ? 0.5 : 0;
  }
  return data.length === 0 ? 0 : Math.round((right / data.length) * 1e4) / 1e4;
}

const verifierWeights: Partial<Record<keyof FeatureVector, number>> = {
  exact_frac: 0.6,
  cell_acc: 0.2,
  changed_recall: 0.1,
  shape_frac: 0.05,
  palette_jaccard: 0.03,
  object_iou: 0.02,
};

/** The verifier's score from a vector. */
function scoreOf(vector: FeatureVector): number {
  return linear(
    featureOrder.map((name) => verifierWeights[name] ?? 0),
    vector,
  );
}
