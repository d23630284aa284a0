import * as z from 'zod';
import { controlActions, ticketStatuses } from '../events.ts';
import { stepOutcomes } from '../search-tree.ts';
import {
  seq,
  time,
  seconds,
  countSchema,
  share,
  texts,
  label,
  status,
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

/** Responses of the server. */

export const health = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  /** Since the server started. */
  uptime_seconds: seconds,
  ledger: z.string(),
  seq,
  clients: countSchema,
});

export const armStats = strategyRow
  .omit({ strategy: true, arm: true, wall_seconds: true, attempts_with_hits: true })
  .extend({
    success_rate: share,
    /** Wall clock of an attempt. */
    mean_seconds: seconds,
  });

/** What `orch stats --json` reports about the whole ledger. */
export const ledgerStatistics = z.strictObject({
  total_attempts: countSchema,
  successes: countSchema,
  success_rate: share,
  /** Of attempts only. */
  cpu_seconds: seconds,
  /** Of all runs, including set-up, opening, attempts and judging. */
  runs_cpu_seconds: seconds,
  /** Share of attempts with a cache hit. */
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
});

/** The overview: these statistics, and what is happening right now. */
export const stats = ledgerStatistics.extend({
  /** Events up to here are included; /api/events?since= continues from there. */
  seq,
  at: time,
  /** Null if the ledger has no runs. Goals, queue, running attempts and sample belong to this run. */
  run: runSummary.nullable(),
  goals: goalCounts,
  /** Goals that are not closed, by difficulty (easy below 0.35, hard from 0.65, unless the bank says so). */
  queue: z.record(label, countSchema),
  in_flight: z.array(inFlightAttempt),
  sample: sample.nullable(),
  /** This and the following fields cover the whole ledger. */
  totals: z.strictObject({
    successes: countSchema,
    goals_known: countSchema,
    goals_solved: countSchema,
    goals_refuted: countSchema,
    cached_goals: countSchema,
  }),
  arms: z.array(strategyRow),
  arms_last_day: z.array(strategyRow),
  /** Of the last 24 hours. */
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

export const marketplace = z.strictObject({
  open: countSchema,
  claimed: countSchema,
  completed: countSchema,
  refuted: countSchema,
  merged: countSchema,
  /** Open ones first, then by priority; at most 500. */
  tickets: z.array(ticketRow),
  /** Who waits for these tickets, and each one's part of the cost; oldest first. */
  requests: z.array(
    z.strictObject({
      ticket_id: z.string(),
      run: z.string(),
      requester: z.string(),
      priority: z.number(),
      at: time,
      cpu_seconds: seconds,
    }),
  ),
});

export const runs = z.strictObject({ runs: z.array(runSummary) });

/** One run with its figures over time, oldest first; series are thinned to at most `seriesLength` points. */
export const runDetail = z.strictObject({
  seq,
  run: runSummary,
  goals: goalCounts,
  arms: z.array(strategyRow),
  samples: z.array(sample),
  /** The bandit's scores of the arms at each choice of a slate. */
  scores: z.array(z.strictObject({ at: time, arms: z.array(armChoice) })),
  /** Closed and solved goals over time. */
  progress: z.array(z.strictObject({ at: time, closed: countSchema, solved: countSchema })),
  /** Newest first, like users' requests; at most 100 of each. */
  notes: z.array(
    z.strictObject({
      type: z.literal('note'),
      run: z.string(),
      at: time,
      seq: seq.exactOptional(),
      level: z.enum(['info', 'warning', 'error']),
      text: z.string(),
    }),
  ),
  controls: z.array(controlRow),
});

/** The state of a run at one moment, computed from its events as the scheduler does. */
export const moment = z.strictObject({
  run: z.string(),
  /** The run's first and last event. */
  from: time,
  to: time,
  at: time,
  goals: goalCounts,
  /** Charged to goals so far: opening, attempts, judging. */
  cpu_seconds: seconds,
  in_flight: z.array(inFlightAttempt),
  /** Goals in the order in which they were added; at most `momentGoals`. */
  states: z.array(z.strictObject({ goal: z.string(), status })),
  /** The latest ones so far, newest first. */
  events: z.array(z.strictObject({ at: time, goal: z.string().nullable(), text: z.string() })),
});

export const goalPage = z.strictObject({
  seq,
  run: z.string().nullable(),
  /** Number of matching goals. */
  total: countSchema,
  /** All requested goals of the run, or all its helper lemmas, without the other filters. */
  counts: goalCounts,
  /** Number of helper lemmas. */
  lemmas: countSchema,
  topics: texts,
  /** Groups of matching goals, in list order; empty unless the query groups. The name is empty for goals without a group. */
  groups: z.array(z.strictObject({ name: z.string(), total: countSchema, counts: goalCounts })),
  goals: z.array(goalListRow),
});

/** The searches for a goal: for its whole statement, or for each hole of its proof. */
export const goalSearch = z.strictObject({
  trees: z.array(
    z.strictObject({
      /** The initial state, which is the first of `states`. */
      start: z.string(),
      /** In breadth-first order from the start; each once, even if many steps lead to it. */
      states: z.array(
        z.strictObject({
          state: z.string(),
          /** Its goals as Lean prints them, possibly truncated; empty in data of an older orch. */
          goals: z.string(),
          /** Whether a script from here to the end is known. */
          solved: z.boolean(),
          /** Queued for expansion with this score (higher comes first); null: not queued. */
          score: z.number().nullable(),
          /** Closing steps first, then steps with open goals, then failures, each ordered by cost. */
          steps: z.array(
            z.strictObject({
              tactic: z.string(),
              outcome: z.enum(stepOutcomes),
              cpu_seconds: seconds,
              /** Why it failed, in Lean's words. */
              words: z.string().nullable(),
              /** The resulting states, all of which must be solved. */
              next: texts,
            }),
          ),
        }),
      ),
      /** Number of known states omitted because of the size limit. */
      left_out: countSchema,
    }),
  ),
});

const progress = z.array(z.strictObject({ at: time, closed: countSchema, solved: countSchema }));
const comparedGoals = z.array(
  z.strictObject({ goal: z.string(), cpu_seconds_a: seconds, cpu_seconds_b: seconds }),
);
const cell = z.union([z.number(), z.string(), z.null()]);
export const runComparison = z.strictObject({
  a: runSummary,
  b: runSummary,
  /** Solved in B and not in A; solved in A and not in B. */
  gained: comparedGoals,
  lost: comparedGoals,
  /** Solved in both, with costs that differ by more than noise; largest change first. */
  slower: comparedGoals,
  faster: comparedGoals,
  only_in_a: texts,
  only_in_b: texts,
  both: countSchema,
  totals: z.array(z.strictObject({ name: z.string(), a: cell, b: cell })),
  /** Goals closed and solved over time, in milliseconds since each run started. */
  progress: z.strictObject({ a: progress, b: progress }),
});

export const apiError = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});

/** The outcome for a finished lemma that should become a theorem of the project. */
export const promotion = z.strictObject({
  ticket: z.string(),
  result: z.enum(['promoted', 'known', 'failed']),
  /** The theorem: new, or an existing one with the same statement. */
  name: z.string(),
  message: z.string(),
  /** Its file, from the top of the repository. */
  file: z.string().nullable(),
  branch: z.string().nullable(),
});

export const controlAccepted = z.strictObject({
  /** The number of the event `control-requested`; `control-obeyed` follows, with this as its `request`. */
  seq,
  run: z.string(),
  action: z.enum(controlActions),
});
