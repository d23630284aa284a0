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
  count,
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
  clients: count,
});

const armStats = z.strictObject({
  attempts: count,
  successes: count,
  success_rate: share,
  mean_seconds: seconds,
  cpu_seconds: seconds,
  gpu_seconds: seconds,
  cloud_seconds: seconds,
  input_tokens: count,
  output_tokens: count,
  microdollars: count,
  cache_hits: count,
  outcomes: z.partialRecord(z.enum(outcomeKinds), count),
});

export const stats: z.ZodType<Stats> = z.strictObject({
  total_attempts: count,
  successes: count,
  success_rate: share,
  cpu_seconds: seconds,
  hit_rate: share,
  cache_hits: count,
  cached_goals: count,
  goals_known: count,
  goals_solved: count,
  goals_refuted: count,
  solve_rate: share,
  strategies: z.array(
    armStats.extend({ strategy: z.string(), arms: z.array(armStats.extend({ arm: z.string() })) }),
  ),
  tickets: z.record(z.enum(ticketStatuses), count),
  seq,
  at: time,
  run: runSummary.nullable(),
  goals: goalCounts,
  queue: z.record(label, count),
  in_flight: z.array(inFlightAttempt),
  sample: sample.nullable(),
  totals: z.strictObject({
    successes: count,
    goals_known: count,
    goals_solved: count,
    goals_refuted: count,
    cached_goals: count,
  }),
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
  groups: z.array(z.strictObject({ name: z.string(), total: count, counts: goalCounts })),
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
      left_out: count,
    }),
  ),
});

const modelUse = z.strictObject({
  name: z.string(),
  prompts: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  calls: count,
  recorded: count,
  microdollars: count,
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
      input_tokens: count,
      output_tokens: count,
      microdollars: count,
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
  both: count,
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
