import { z } from 'zod';
import { comparatorVersion, featureOrder } from '../verify/comparator.ts';
import { blameLevels } from './critic/blame.ts';
import { errorTypes } from '../verify/error-type.ts';
import { answerEnds, answerFaults } from './rulers/answers.ts';
import { directiveKinds } from '../search/edit.ts';

/**
 * The files that `orch arc run` writes. The JSON Schemas in docs/schemas/arc are generated from these (`npm run docs:generated`),
 * and files are checked against them when they are read. Rows contain no times, so equal runs give equal bytes.
 */
const share = z.number().min(0).max(1);
const featureVector = z.strictObject(
  Object.fromEntries(featureOrder.map((name) => [name, share])) as Record<
    (typeof featureOrder)[number],
    typeof share
  >,
);
const argument = z.union([
  z.number(),
  z.string(),
  z.array(z.union([z.number(), z.string()])),
  z.record(z.string(), z.string()),
]);
const program = z.array(z.strictObject({ op: z.string(), args: z.record(z.string(), argument) }));
const directive = z.strictObject({ kind: z.enum(directiveKinds), step: z.int().min(0) });
const difference = z.strictObject({ ...directive.shape, path: z.string().nullable() });
const errorType = z.enum([...errorTypes, ...answerFaults]);
const grid = z.array(z.array(z.int().min(0).max(9)));
const index = z.int().min(0);

/** The first fields of every row of every file. */
function head<const Name extends string>(name: Name) {
  return {
    schema: z.literal(name),
    comparator: z.literal(comparatorVersion),
    seed: z.int(),
    run_key: z.string(),
    task_id: z.string(),
    iter_idx: index,
  };
}

const blameLocus = z.strictObject({
  level: z.enum(blameLevels),
  step_idx: index,
  arg: z.string().nullable(),
  pair_idx: index.nullable(),
  bbox: z.tuple([index, index, index, index]).nullable(),
  gain: z.number(),
});

const attribution = z.strictObject({
  steps: z.array(
    z.strictObject({
      step: index,
      delta_drop: z.number().nullable(),
      best_swap: z
        .strictObject({ path: z.string(), aspect: z.string(), candidate_id: z.string() })
        .nullable(),
      best_swap_delta: z.number(),
      first_diverging_pair: index.nullable(),
    }),
  ),
  reruns: index,
  nodes: z.number().min(0),
});

/** The vector without one training pair, and whether that pair is right. */
const heldOut = z.strictObject({ pair_idx: index, exact: z.boolean(), feature_vec: featureVector });

const neighbours = z.strictObject({ repairable: share, promising: share });

const candidate = z.strictObject({
  candidate_id: z.string(),
  source: z.enum(['teacher', 'student']),
  by: z.string(),
  parent_id: z.string().nullable(),
  directive: directive.nullable(),
  /** How the program differs from its parent. */
  differences: z.array(difference),
  /** The index of the model's answer in the iteration's `answers`; null if it is not from a model. */
  answer: index.nullable(),
  /** Null if it is not a program; `message` has the reason. */
  program: program.nullable(),
  message: z.string().nullable(),
  ops_signature: z.string().nullable(),
  price: z.number(),
  /** The leave-one-out share of pairs, if its proposer knows it. */
  held: share,
  verifier_score: share,
  critic_score: z.number(),
  /** The critic's features from neighbours in memory. */
  neighbours,
  feature_vec: featureVector,
  error_type: errorType,
  heldout: z.array(heldOut),
  csa: attribution.nullable(),
  blame: blameLocus.nullable(),
});

/** One call to a model. Its cost is as reported by the service, also for a recorded answer. */
const answer = z.strictObject({
  role: z.enum(['describer', 'teacher', 'student']),
  model: z.string(),
  prompt: z.string(),
  end: z.enum(answerEnds),
  message: z.string().nullable(),
  said: index,
  taken: index,
  input_tokens: index,
  output_tokens: index,
  microdollars: index,
});

const iteration = z.strictObject({
  iter_idx: index,
  seeds: z.array(z.string()),
  candidates: z.array(candidate),
  tallies: z.array(
    z.strictObject({
      seed_id: z.string(),
      directive: z.enum(directiveKinds),
      tried: index,
      best_delta: z.number(),
    }),
  ),
  answers: z.array(answer),
  nodes: index,
  best_score: share,
});

const stop = z.enum(['solved', 'iterations', 'nodes', 'failed']);

export const rowSchema = z.strictObject({
  ...head('arc-row-2'),
  /** Why the task was given up before it was searched, or null. */
  failure: z.strictObject({ kind: z.string(), message: z.string() }).nullable(),
  /** Score 1 with error NONE. */
  solved: z.boolean(),
  fits: z.boolean(),
  confident: z.boolean(),
  stop,
  nodes: index,
  /** Nodes used when the best candidate was first found. */
  nodes_to_best: index,
  scores: z.array(share),
  best: z
    .strictObject({
      candidate_id: z.string(),
      source: z.enum(['teacher', 'student']),
      program,
      verifier_score: share,
      feature_vec: featureVector,
      error_type: errorType,
      price: z.number(),
    })
    .nullable(),
  attempts: z.array(z.tuple([grid.nullable(), grid.nullable()])),
  /** Number of memory items of each kind for the task; `left_out` exceeded the byte limit. */
  memory: z.strictObject({
    solved_examples: index,
    repair_cases: index,
    fragments: index,
    episodes: index,
    summary: index,
    critic_episodes: index,
    critic_cases: index,
    left_out: index,
  }),
});
export type LoopRow = z.infer<typeof rowSchema>;

export const traceSchema = z.strictObject({
  ...head('arc-trace-2'),
  fingerprint: z.string(),
  facts_hash: z.string(),
  fact_features: z.array(z.string()),
  iterations: z.array(iteration),
  row: rowSchema,
});
export type TaskTrace = z.infer<typeof traceSchema>;
export type CandidateRecord = z.infer<typeof candidate>;
export type IterationRecord = z.infer<typeof iteration>;

export const indexSchema = z.strictObject({
  ...head('arc-index-1'),
  file: z.string(),
  solved: z.boolean(),
  verifier_score: share,
  candidates: index,
});

const metricsSchema = z.strictObject({
  schema: z.literal('arc-metrics-2'),
  comparator: z.literal(comparatorVersion),
  seed: z.int(),
  run_key: z.string(),
  tasks: index,
  failed: index,
  solved_on_train: index,
  confident: index,
  nodes: index,
  nodes_to_best: index,
  iterations: z.array(z.strictObject({ iter_idx: index, tasks: index, solved: index, mean_score: share })),
  /** From the test outputs, if known; nothing else reads them. */
  scored: z.strictObject({
    tasks: index,
    solved_pass_1: index,
    solved_pass_2: index,
    confident_solved: index,
    precision: share.nullable(),
  }),
  memory_left_out: index,
  /** Calls to models, with outcomes and cost. */
  answers: z.strictObject({
    calls: index,
    ends: z.partialRecord(z.enum(answerEnds), index),
    input_tokens: index,
    output_tokens: index,
    microdollars: index,
  }),
});
export type RunMetrics = z.infer<typeof metricsSchema>;

export const criticBufferSchema = z.strictObject({
  ...head('arc-critic-buffer-2'),
  candidate_id: z.string(),
  parent_id: z.string().nullable(),
  feature_vec: featureVector,
  verifier_score: share,
  critic_score: z.number(),
  neighbours,
  error_type: errorType,
  blame: blameLocus.nullable(),
});

export const studentBufferSchema = z.strictObject({
  ...head('arc-student-buffer-2'),
  fact_features: z.array(z.string()),
  parent_id: z.string(),
  parent: program,
  parent_vec: featureVector,
  error_type: errorType,
  directive,
  differences: z.array(difference),
  candidate_id: z.string(),
  program,
  feature_vec: featureVector,
  delta: z.number(),
});

export const rankingPairSchema = z.strictObject({
  ...head('arc-ranking-pair-1'),
  a_id: z.string(),
  b_id: z.string(),
  a_vec: featureVector,
  b_vec: featureVector,
  a_score: share,
  b_score: share,
  label: z.enum(['a', 'b']),
  /** One entry for each training pair that only one of the two gets right; vectors without that pair. */
  heldout: z.array(
    z.strictObject({
      pair_idx: index,
      a_vec: featureVector,
      b_vec: featureVector,
      label_heldout: z.enum(['a', 'b']),
    }),
  ),
});
export type RankingPair = z.infer<typeof rankingPairSchema>;

export const blameRowSchema = z.strictObject({
  ...head('arc-blame-locus-1'),
  candidate_id: z.string(),
  ops_signature: z.string(),
  program,
  feature_vec: featureVector,
  error_type: errorType,
  blame: blameLocus,
});

export const directivePreferenceSchema = z.strictObject({
  ...head('arc-directive-pref-1'),
  seed_id: z.string(),
  seed_vec: featureVector,
  ops_signature: z.string(),
  error_type: errorType,
  preferred: directive,
  rejected: directive,
  preferred_id: z.string(),
  rejected_id: z.string(),
  preferred_vec: featureVector,
  rejected_vec: featureVector,
  delta_preferred: z.number(),
  delta_rejected: z.number(),
});

/** By the name of the file that docs/schemas/arc has for it. */
export const schemas = {
  row: rowSchema,
  trace: traceSchema,
  index: indexSchema,
  metrics: metricsSchema,
  'critic-buffer': criticBufferSchema,
  'student-buffer': studentBufferSchema,
  'ranking-pair': rankingPairSchema,
  'blame-locus': blameRowSchema,
  'directive-preference': directivePreferenceSchema,
} as const;
