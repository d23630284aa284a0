import * as z from 'zod';
import {
  defaultGoalQuery,
  goalSorts,
  runStates,
  type ApiError,
  type CacheStats,
  type ControlAccepted,
  type ControlBody,
  type ControlRow,
  type GoalListRow,
  type GoalPage,
  type GoalQuery,
  type GoalView,
  type Health,
  type InFlightAttempt,
  type Marketplace,
  type RunComparison,
  type RunDetail,
  type Runs,
  type RunSummary,
  type Stats,
} from '../shared/api.ts';
import { controlActions, outcomeKinds, ticketStatuses } from '../shared/events.ts';
import { goalStatuses, type StrategyRow, type TicketRow } from '../shared/ledger.ts';

/**
 * What goes in and out, as schemas: each says that it describes the type of the same name in `src/shared/api.ts`. Requests are
 * checked by them, the OpenAPI document is made from them, and tests hold every response against them; objects are strict, so
 * a field that is missing here fails there.
 */

const seq = z.int().min(0);
const time = z.int().describe('milliseconds since 1970');
const seconds = z.number().min(0);
const count = z.int().min(0);
const share = z.number();
const texts = z.array(z.string());
const label = z.enum(['easy', 'medium', 'hard']);
const status = z.enum(goalStatuses);
const limits = z.strictObject({ cpu_seconds: z.number(), heartbeats: z.number() });
const verdict = z.enum(['accepted', 'rejected', 'unknown']);
const goalCounts = z.record(status, count);

const runSummary: z.ZodType<RunSummary> = z.strictObject({
  run: z.string(),
  started: time,
  command: z.string(),
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
    cores: count,
    workers: count,
    max_light: count,
    max_heavy: count,
    escalate_threshold: z.number(),
  }),
  strategies: z.array(
    z.strictObject({
      name: z.string(),
      slot: z.enum(['light', 'heavy']),
      tier: z.number(),
      unavailable: z.string().nullable(),
    }),
  ),
  finished: time.nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  goals_total: count,
  goals_solved: count,
  cpu_seconds: seconds.nullable(),
  wall_seconds: seconds.nullable(),
  utilisation: share.nullable(),
  state: z.enum(runStates),
  paused: z.boolean(),
});

const inFlightAttempt: z.ZodType<InFlightAttempt> = z.strictObject({
  attempt: z.string(),
  goal: z.string(),
  strategy: z.string(),
  arm: z.string(),
  started: time,
});

const sample = z.strictObject({
  at: time,
  utilisation: share,
  cpu_target: share,
  others: share,
  cpu_seconds: seconds,
  resident_bytes: z.number(),
  queued: count,
  parked: count,
  workers: z.array(
    z.strictObject({
      pid: z.int().nullable(),
      resident_bytes: z.number(),
      goal: z.string().nullable(),
      arm: z.string().nullable(),
    }),
  ),
});

const strategyRow: z.ZodType<StrategyRow> = z.strictObject({
  strategy: z.string(),
  arm: z.string(),
  attempts: count,
  successes: count,
  cpu_seconds: seconds,
  wall_seconds: seconds,
  cache_hits: count,
  attempts_with_hits: count,
  outcomes: z.partialRecord(z.enum(outcomeKinds), count),
});

const cache: z.ZodType<CacheStats> = z.strictObject({
  cached_goals: count,
  cache_hits: count,
  attempts: count,
  attempts_with_hits: count,
  entries: z.array(
    z.strictObject({
      goal_hash: z.string(),
      tactics: z.string(),
      use_count: count,
      success_rate: share,
      avg_time: seconds,
      last_used: time,
    }),
  ),
});

const ticketRow: z.ZodType<TicketRow> = z.strictObject({
  ticket_id: z.string(),
  goal: z.string(),
  goal_hash: z.string().nullable(),
  context: texts,
  suggested_name: z.string(),
  constraints: texts,
  priority: z.number(),
  status: z.enum(ticketStatuses),
  requester: z.string(),
  dependencies: texts,
  completed_proof: z.string().nullable(),
  opened: time,
  claimant: z.string().nullable(),
  expires: time.nullable(),
  assurance: z.string().nullable(),
});

const armChoice = z.strictObject({
  arm: z.string(),
  score: z.number(),
  mean: z.number(),
  trials: z.number(),
});

const controlRow: z.ZodType<ControlRow> = z.strictObject({
  seq,
  at: time,
  action: z.enum(controlActions),
  goal: z.string().nullable(),
  value: z.number().nullable(),
  obeyed: z.strictObject({ at: time, refused: z.string().nullable() }).nullable(),
});

const goalListRow = z.strictObject({
  run: z.string(),
  goal: z.string(),
  statement: z.string(),
  topic: z.string().nullable(),
  label: label.nullable(),
  difficulty: z.number(),
  priority: z.number(),
  source: z.string().nullable(),
  goal_hash: z.string().nullable(),
  fingerprint: z.string().nullable(),
  status,
  until: time.nullable(),
  ticket: z.string().nullable(),
  attempts: count,
  cpu_seconds: seconds,
  latest_error: z.string().nullable(),
  reason: z.string().nullable(),
  latest: time.nullable(),
}) satisfies z.ZodType<GoalListRow>;

export const health: z.ZodType<Health> = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptime_seconds: seconds,
  ledger: z.string(),
  seq,
  clients: count,
});

export const stats: z.ZodType<Stats> = z.strictObject({
  seq,
  at: time,
  run: runSummary.nullable(),
  goals: goalCounts,
  queue: z.record(label, count),
  in_flight: z.array(inFlightAttempt),
  sample: sample.nullable(),
  totals: z.strictObject({ goals_known: count, goals_solved: count, cached_goals: count }),
  arms: z.array(strategyRow),
  arms_last_day: z.array(strategyRow),
  hours: z.array(
    z.strictObject({
      hour: time,
      strategy: z.string(),
      attempts: count,
      successes: count,
      cpu_seconds: seconds,
    }),
  ),
  cache,
});

export const marketplace: z.ZodType<Marketplace> = z.strictObject({
  open: count,
  claimed: count,
  completed: count,
  tickets: z.array(ticketRow),
});

export const runs: z.ZodType<Runs> = z.strictObject({ runs: z.array(runSummary) });

export const runDetail: z.ZodType<RunDetail> = z.strictObject({
  seq,
  run: runSummary,
  goals: goalCounts,
  arms: z.array(strategyRow),
  samples: z.array(sample),
  scores: z.array(z.strictObject({ at: time, arms: z.array(armChoice) })),
  progress: z.array(z.strictObject({ at: time, closed: count, solved: count })),
  notes: z.array(
    z.strictObject({
      type: z.literal('note'),
      run: z.string(),
      at: time,
      seq: seq.optional(),
      level: z.enum(['info', 'warning', 'error']),
      text: z.string(),
    }),
  ) as z.ZodType<RunDetail['notes']>,
  controls: z.array(controlRow),
});

export const goalPage: z.ZodType<GoalPage> = z.strictObject({
  seq,
  run: z.string().nullable(),
  total: count,
  counts: goalCounts,
  topics: texts,
  goals: z.array(goalListRow),
});

export const goalView: z.ZodType<GoalView> = goalListRow.extend({
  seq,
  preamble: z.string(),
  features: z.record(z.string(), z.number()).nullable(),
  slates: z.array(
    z.strictObject({
      seq,
      at: time,
      slot: z.string(),
      round: count,
      limits,
      arms: z.array(armChoice),
      reason: z.string(),
    }),
  ),
  attempt_rows: z.array(
    z.strictObject({
      seq,
      attempt: z.string(),
      strategy: z.string(),
      arm: z.string(),
      signature: z.string(),
      params: limits,
      started: time,
      outcome: z.enum(outcomeKinds),
      tactics: texts,
      next_goals: texts,
      premises: texts,
      cache_hits: count,
      cpu_seconds: seconds,
      wall_seconds: seconds,
      peak_bytes: z.number(),
      gpu_seconds: seconds,
      cloud_seconds: seconds,
      error: z.string().nullable(),
      parent: z.string().nullable(),
      reward: z.number().nullable(),
    }),
  ),
  verdicts: z.array(
    z.strictObject({
      seq,
      at: time,
      attempt: z.string().nullable(),
      strategy: z.string(),
      arm: z.string(),
      proof: z.string(),
      verdict,
      kind: z.string(),
      message: z.string(),
      cpu_seconds: seconds,
    }),
  ),
  proofs: z.array(
    z.strictObject({
      seq,
      at: time,
      attempt: z.string().nullable(),
      strategy: z.string(),
      arm: z.string(),
      proof: z.string(),
      premises: texts,
      assurance: z.string(),
      axioms: texts,
      assumes: texts,
      toolchain: z.string(),
      fingerprint: z.string(),
    }),
  ),
  in_flight: z.array(inFlightAttempt),
  tickets: z.array(ticketRow),
  controls: z.array(controlRow),
});

const comparedGoals = z.array(
  z.strictObject({ goal: z.string(), cpu_seconds_a: seconds, cpu_seconds_b: seconds }),
);
const cell = z.union([z.number(), z.string(), z.null()]);
export const runComparison: z.ZodType<RunComparison> = z.strictObject({
  a: runSummary,
  b: runSummary,
  gained: comparedGoals,
  lost: comparedGoals,
  slower: comparedGoals,
  faster: comparedGoals,
  only_in_a: texts,
  only_in_b: texts,
  both: count,
  totals: z.array(z.strictObject({ name: z.string(), a: cell, b: cell })),
});

export const apiError: z.ZodType<ApiError> = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});

/** What comes in. Names are cut off at a length that no honest one has. */
const name = z.string().min(1).max(4096);
export const latestRun = 'latest';
export const runName = name.default(latestRun).describe('the id of a run, or `latest`');

export const runQuery = z.object({ run: runName });
export const compareQuery = z.object({ a: name, b: name });
export const eventsQuery = z.object({
  since: z.coerce.number().pipe(seq).optional().describe('only events after this one; else only new ones'),
});

const defaults = defaultGoalQuery;
export const goalQuery = z.object({
  run: runName,
  status: z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(status))
    .default([...defaults.status])
    .describe(`some of ${goalStatuses.join(', ')}, with commas between them`),
  label: label.nullable().default(defaults.label),
  topic: name.nullable().default(defaults.topic),
  search: z.string().max(1000).default(defaults.search),
  sort: z.enum(goalSorts).default(defaults.sort),
  order: z.enum(['ascending', 'descending']).default(defaults.order),
  offset: z.coerce.number().pipe(count).default(defaults.offset),
  limit: z.coerce.number().pipe(z.int().min(1).max(500)).default(defaults.limit),
}) satisfies z.ZodType<GoalQuery & { run: string }>;

const ofRun = { run: runName };
export const controlBody = z.discriminatedUnion('action', [
  z.strictObject({ ...ofRun, action: z.enum(['pause', 'resume']) }),
  z.strictObject({ ...ofRun, action: z.enum(['retry', 'cancel']), goal: name }),
  z.strictObject({
    ...ofRun,
    action: z.literal('priority'),
    goal: name,
    priority: z.number().min(0).max(1),
  }),
]) satisfies z.ZodType<ControlBody>;

export const controlAccepted: z.ZodType<ControlAccepted> = z.strictObject({
  seq,
  run: z.string(),
  action: z.enum(controlActions),
});

/** A request with its defaults filled in. */
export type CheckedControl = z.infer<typeof controlBody>;
