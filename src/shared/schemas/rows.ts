import * as z from 'zod';
import { controlActions, outcomeKinds, policyNames, ticketKinds, ticketStatuses } from '../events.ts';
import { goalStatuses, runStates } from '../ledger.ts';

/**
 * Schemas of the server's responses. The types in `src/shared/api.ts` are inferred from them, the OpenAPI document is made from
 * them, and tests check every response against them. Objects are strict, so an undocumented field fails a test.
 */

/** The type of an answer. */
export type Answer<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;
type Frozen<Value> = Value extends readonly (infer Part)[]
  ? readonly Frozen<Part>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

export const seq = z.int().min(0);
export const time = z.int().describe('milliseconds since 1970');
export const seconds = z.number().min(0);
export const countSchema = z.int().min(0);
export const share = z.number();
export const texts = z.array(z.string());
export const label = z.enum(['easy', 'medium', 'hard']);
export const status = z.enum(goalStatuses);
export const limits = z.strictObject({ cpu_seconds: z.number(), heartbeats: z.number() });
export const verdict = z.enum(['accepted', 'rejected', 'unknown']);
export const goalCounts = z.record(status, countSchema);

export const runSummary = z.strictObject({
  run: z.string(),
  started: time,
  command: z.string(),
  label: z.string().nullable(),
  resumes: z.string().nullable(),
  seed: z.number(),
  toolchain: z.string(),
  version: z.string(),
  sources: texts,
  config: z.strictObject({
    profile: z.number(),
    timeout: seconds.nullable(),
    goal_cpu: seconds,
    cpu_target: share,
    cores: countSchema,
    workers: countSchema,
    max_light: countSchema,
    max_heavy: countSchema,
    escalate_threshold: z.number(),
    policy: z.enum(policyNames).exactOptional(),
    ucb: z.number().exactOptional(),
    /** Name of the Lake package that the run worked on. */
    project: z.string().exactOptional(),
  }),
  strategies: z.array(
    z.strictObject({
      name: z.string(),
      slot: z.enum(['light', 'heavy']),
      tier: z.number(),
      unavailable: z.string().nullable(),
    }),
  ),
  /** Null until the run has finished, as are the following fields except the goal counts. */
  finished: time.nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  goals_total: countSchema,
  goals_solved: countSchema,
  cpu_seconds: seconds.nullable(),
  wall_seconds: seconds.nullable(),
  utilisation: share.nullable(),
  state: z.enum(runStates),
  paused: z.boolean(),
  /** Figures of a finished run, or of an active one so far. */
  so_far: z.strictObject({ cpu_seconds: seconds, wall_seconds: seconds, utilisation: share.nullable() }),
});

export const inFlightAttempt = z.strictObject({
  attempt: z.string(),
  goal: z.string(),
  strategy: z.string(),
  arm: z.string(),
  started: time,
});

export const sample = z.strictObject({
  at: time,
  utilisation: share,
  cpu_target: share,
  others: share,
  cpu_seconds: seconds,
  resident_bytes: z.number(),
  queued: countSchema,
  parked: countSchema,
  workers: z.array(
    z.strictObject({
      pid: z.int().nullable(),
      resident_bytes: z.number(),
      goal: z.string().nullable(),
      arm: z.string().nullable(),
    }),
  ),
});

export const strategyRow = z.strictObject({
  strategy: z.string(),
  arm: z.string(),
  attempts: countSchema,
  /** Attempts whose proof the gate accepted. */
  successes: countSchema,
  cpu_seconds: seconds,
  wall_seconds: seconds,
  gpu_seconds: seconds,
  cloud_seconds: seconds,
  input_tokens: countSchema,
  output_tokens: countSchema,
  /** Cost of models, in whole millionths of a dollar. */
  microdollars: countSchema,
  cache_hits: countSchema,
  attempts_with_hits: countSchema,
  outcomes: z.partialRecord(z.enum(outcomeKinds), countSchema),
});

export const cache = z.strictObject({
  /** Goals with a known working script. */
  cached_goals: countSchema,
  cache_hits: countSchema,
  attempts: countSchema,
  attempts_with_hits: countSchema,
  /** The scripts that were judged most often. */
  entries: z.array(
    z.strictObject({
      goal_hash: z.string(),
      /** The newest goal with that identity, and its run; null if no run examined one. */
      goal: z.string().nullable(),
      run: z.string().nullable(),
      tactics: z.string(),
      use_count: countSchema,
      success_rate: share,
      /** CPU-seconds for judging it. */
      avg_time: seconds,
      last_used: time,
    }),
  ),
});

export const ticketRow = z.strictObject({
  ticket_id: z.string(),
  kind: z.enum(ticketKinds),
  goal: z.string(),
  goal_hash: z.string().nullable(),
  /** The run that requested it; null if a user did. */
  run: z.string().nullable(),
  context: texts,
  environment: z.unknown().optional(),
  suggested_name: z.string(),
  constraints: texts,
  priority: z.number(),
  status: z.enum(ticketStatuses),
  requester: z.string(),
  dependencies: texts,
  completed_proof: z.string().nullable(),
  opened: time,
  /** The claimant and the expiry of the claim; null unless claimed. */
  claimant: z.string().nullable(),
  expires: time.nullable(),
  assurance: z.string().nullable(),
  /** Values for which the lemma is false; null unless it is refuted. */
  counterexample: z.string().nullable(),
  /** The more general ticket that it follows from. */
  merged_into: z.string().nullable(),
  /** The cost of work on it in all runs. */
  cpu_seconds: seconds,
});

export const armChoice = z.strictObject({
  arm: z.string(),
  score: z.number(),
  mean: z.number(),
  trials: z.number(),
  seconds: z.number().exactOptional(),
  limits: limits.exactOptional(),
});

export const controlRow = z.strictObject({
  seq,
  at: time,
  action: z.enum(controlActions),
  goal: z.string().nullable(),
  value: z.number().nullable(),
  /** Null until the run has seen it. */
  obeyed: z.strictObject({ at: time, refused: z.string().nullable() }).nullable(),
});

/** Statement and latest error, truncated to `listTextLength` characters; the goal view has the complete texts. */
export const goalListRow = z.strictObject({
  run: z.string(),
  goal: z.string(),
  statement: z.string(),
  topic: z.string().nullable(),
  label: label.nullable(),
  difficulty: z.number(),
  priority: z.number(),
  source: z.string().nullable(),
  requester: z.string().nullable(),
  goal_hash: z.string().nullable(),
  fingerprint: z.string().nullable(),
  status,
  until: time.nullable(),
  ticket: z.string().nullable(),
  attempts: countSchema,
  cpu_seconds: seconds,
  latest_error: z.string().nullable(),
  /** The counterexample. */
  refuted: z.string().nullable(),
  /** Of the last decision. */
  reason: z.string().nullable(),
  /** When its latest attempt ended. */
  latest: time.nullable(),
});
