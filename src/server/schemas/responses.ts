import * as z from 'zod';
import type {
  ApiError,
  ControlAccepted,
  GoalPage,
  GoalSearch,
  GoalView,
  Health,
  Marketplace,
  RunComparison,
  RunDetail,
  Runs,
  Stats,
} from '../../shared/api.ts';
import { controlActions, outcomeKinds, ticketStatuses } from '../../shared/events.ts';
import { stepOutcomes } from '../../shared/search-tree.ts';
import {
  seq,
  time,
  seconds,
  countSchema,
  share,
  texts,
  label,
  limits,
  verdict,
  goalCounts,
  runSummary,
  inFlightAttempt,
  sample,
  strategyRow,
  cache,
  ticketRow,
  armChoice,
  controlRow,
  goalListRow,
} from './rows.ts';

/** What the server answers. */

export const health: z.ZodType<Health> = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  uptime_seconds: seconds,
  ledger: z.string(),
  seq,
  clients: countSchema,
});

const armStats = z.strictObject({
  attempts: countSchema,
  successes: countSchema,
  success_rate: share,
  mean_seconds: seconds,
  cpu_seconds: seconds,
  gpu_seconds: seconds,
  cloud_seconds: seconds,
  input_tokens: countSchema,
  output_tokens: countSchema,
  microdollars: countSchema,
  cache_hits: countSchema,
  outcomes: z.partialRecord(z.enum(outcomeKinds), countSchema),
});

export const stats: z.ZodType<Stats> = z.strictObject({
  total_attempts: countSchema,
  successes: countSchema,
  success_rate: share,
  cpu_seconds: seconds,
  hit_rate: share,
  cache_hits: countSchema,
  cached_goals: countSchema,
  goals_known: countSchema,
  goals_solved: countSchema,
  goals_refuted: countSchema,
  solve_rate: share,
  strategies: z.array(
    armStats.extend({ strategy: z.string(), arms: z.array(armStats.extend({ arm: z.string() })) }),
  ),
  tickets: z.record(z.enum(ticketStatuses), countSchema),
  seq,
  at: time,
  run: runSummary.nullable(),
  goals: goalCounts,
  queue: z.record(label, countSchema),
  in_flight: z.array(inFlightAttempt),
  sample: sample.nullable(),
  totals: z.strictObject({
    successes: countSchema,
    goals_known: countSchema,
    goals_solved: countSchema,
    goals_refuted: countSchema,
    cached_goals: countSchema,
  }),
  arms: z.array(strategyRow),
  arms_last_day: z.array(strategyRow),
  hours: z.array(
    z.strictObject({
      hour: time,
      strategy: z.string(),
      attempts: countSchema,
      successes: countSchema,
      cpu_seconds: seconds,
    }),
  ),
  cache,
});

export const marketplace: z.ZodType<Marketplace> = z.strictObject({
  open: countSchema,
  claimed: countSchema,
  completed: countSchema,
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
  progress: z.array(z.strictObject({ at: time, closed: countSchema, solved: countSchema })),
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
  total: countSchema,
  counts: goalCounts,
  topics: texts,
  groups: z.array(z.strictObject({ name: z.string(), total: countSchema, counts: goalCounts })),
  goals: z.array(goalListRow),
});

export const goalSearch: z.ZodType<GoalSearch> = z.strictObject({
  trees: z.array(
    z.strictObject({
      start: z.string(),
      states: z.array(
        z.strictObject({
          state: z.string(),
          goals: z.string(),
          solved: z.boolean(),
          score: z.number().nullable(),
          steps: z.array(
            z.strictObject({
              tactic: z.string(),
              outcome: z.enum(stepOutcomes),
              cpu_seconds: seconds,
              words: z.string().nullable(),
              next: texts,
            }),
          ),
        }),
      ),
      left_out: countSchema,
    }),
  ),
});

const modelUse = z.strictObject({
  name: z.string(),
  prompts: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  calls: countSchema,
  recorded: countSchema,
  microdollars: countSchema,
  said: texts,
});

export const goalView: z.ZodType<GoalView> = goalListRow.extend({
  seq,
  place: z
    .strictObject({
      file: z.string(),
      line: z.int().min(1),
      column: z.int().min(1),
      editor: z.string().nullable(),
      patch: z.string().nullable(),
    })
    .nullable(),
  preamble: z.string(),
  features: z.record(z.string(), z.number()).nullable(),
  slates: z.array(
    z.strictObject({
      seq,
      at: time,
      slot: z.enum(['light', 'heavy']),
      round: countSchema,
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
      cache_hits: countSchema,
      cpu_seconds: seconds,
      wall_seconds: seconds,
      peak_bytes: z.number(),
      gpu_seconds: seconds,
      cloud_seconds: seconds,
      input_tokens: countSchema,
      output_tokens: countSchema,
      microdollars: countSchema,
      error: z.string().nullable(),
      parent: z.string().nullable(),
      reward: z.number().nullable(),
      model: modelUse.nullable(),
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
      judge: z.string().nullable(),
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
  both: countSchema,
  totals: z.array(z.strictObject({ name: z.string(), a: cell, b: cell })),
});

export const apiError: z.ZodType<ApiError> = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});

export const controlAccepted: z.ZodType<ControlAccepted> = z.strictObject({
  seq,
  run: z.string(),
  action: z.enum(controlActions),
});
