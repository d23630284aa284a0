import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError, messageOf } from '../../../core/errors.ts';
import type { NeighbourFeatures } from './neighbours.ts';
import { comparatorVersion, featureOrder, type FeatureVector } from '../../verify/comparator.ts';

/** Scores candidates by their vectors; the higher, the easier to repair. Ties are left to the comparator. */
export interface Critic {
  readonly name: string;
  score(vector: FeatureVector, verifierScore: number, neighbours?: NeighbourFeatures): number;
}

/** Leave-one-out, simplicity and neighbours only break ties of the verifier's score, which has six decimals. */
const tieWeight = 1e-7;

/** The verifier's score, then what holds without a pair, then what is simple and what memory says of its like. */
export const deterministicCritic: Critic = {
  name: 'deterministic',
  score: ({ loo_consistency, simplicity }, verifierScore, neighbours) =>
    verifierScore + tieWeight * (2 * loo_consistency + simplicity + said(neighbours)),
};

function said(neighbours: NeighbourFeatures | undefined): number {
  return neighbours === undefined ? 0 : neighbours.repairable + neighbours.promising;
}

/** A trained critic: a weight for each number of the vector. */
export const criticSchema = z.strictObject({
  kind: z.literal('arc-critic'),
  version: z.literal(1),
  comparator: z.literal(comparatorVersion),
  weights: z.array(z.number()).length(featureOrder.length),
  /** What it was trained and measured on, for people. */
  card: z.record(z.string(), z.unknown()),
});
export type CriticCheckpoint = z.infer<typeof criticSchema>;

export function trainedCritic({ weights }: CriticCheckpoint): Critic {
  return {
    name: 'trained',
    score: (vector, _, neighbours) => linear(weights, vector) + tieWeight * said(neighbours),
  };
}

export function linear(weights: readonly number[], vector: FeatureVector): number {
  let sum = 0;
  for (const [i, name] of featureOrder.entries()) sum += (weights[i] ?? 0) * vector[name];
  return sum;
}

/** Reads a critic from a file; without one, the deterministic critic. */
export function criticFrom(file: string | undefined): Critic {
  return file === undefined
    ? deterministicCritic
    : trainedCritic(readCheckpoint(file, criticSchema, 'critic'));
}

/** Reads a checkpoint file that this program has written. */
export function readCheckpoint<Shape extends z.ZodType>(
  file: string,
  shape: Shape,
  what: string,
): z.infer<Shape> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(
      'ARC_CHECKPOINT_UNREADABLE',
      `the ${what} checkpoint ${file} cannot be read: ${messageOf(error)}`,
      `orch arc ${what} train writes one.`,
      { cause: error },
    );
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(
    'ARC_CHECKPOINT_SHAPE',
    `${file} is no ${what} checkpoint: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    `orch arc ${what} train writes one.`,
  );
}
