import * as z from 'zod';
import { outcomeKinds } from '../events.ts';
import {
  armChoice,
  controlRow,
  countSchema,
  goalListRow,
  inFlightAttempt,
  limits,
  seconds,
  seq,
  status,
  texts,
  ticketRow,
  time,
  verdict,
} from './rows.ts';

/** One goal with all its attempts. */

const modelUse = z.strictObject({
  name: z.string(),
  prompts: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  calls: countSchema,
  recorded: countSchema,
  microdollars: countSchema,
  said: texts,
});

/** What an attempt offered, and when it was judged. */
const candidate = {
  seq,
  at: time,
  attempt: z.string().nullable(),
  strategy: z.string(),
  arm: z.string(),
  proof: z.string(),
};

export const goalView = goalListRow.extend({
  seq,
  /** Where its proof belongs, if known; line and column count from 1. */
  place: z
    .strictObject({
      file: z.string(),
      line: z.int().min(1),
      column: z.int().min(1),
      /** A URL that opens an editor there; null in a report. */
      editor: z.string().nullable(),
      /** The newest proof as a patch for the version of the file that was read. */
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
      ...candidate,
      verdict,
      kind: z.string(),
      message: z.string(),
      cpu_seconds: seconds,
    }),
  ),
  proofs: z.array(
    z.strictObject({
      ...candidate,
      premises: texts,
      assurance: z.string(),
      axioms: texts,
      assumes: texts,
      toolchain: z.string(),
      /** The judge that accepted it; null before judges had versions. */
      judge: z.string().nullable(),
      fingerprint: z.string(),
    }),
  ),
  /** The same goal in all runs, newest first: by its identity, else by its name. */
  runs: z.array(
    z.strictObject({
      run: z.string(),
      goal: z.string(),
      started: time,
      label: z.string().nullable(),
      command: z.string(),
      status,
      attempts: countSchema,
      cpu_seconds: seconds,
    }),
  ),
  in_flight: z.array(inFlightAttempt),
  /** Helper lemmas that it requested. */
  tickets: z.array(ticketRow),
  controls: z.array(controlRow),
});
