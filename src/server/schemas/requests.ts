import * as z from 'zod';
import {
  defaultGoalQuery,
  goalGroupings,
  goalSorts,
  type ControlBody,
  type GoalQuery,
} from '../../shared/api.ts';
import { goalStatuses } from '../../shared/ledger.ts';
import { seq, countSchema, label, status } from '../../shared/schemas/rows.ts';

/** Schemas of requests. The maximum length of names exceeds that of every real one. */
const name = z.string().min(1).max(4096);
export const latestRun = 'latest';
const runName = name.default(latestRun).describe('the id of a run, or `latest`');

export const runQuery = z.object({ run: runName });
export const compareQuery = z.object({ a: name, b: name });
export const historyQuery = z.object({
  at: z.coerce
    .number()
    .pipe(seq)
    .optional()
    .describe('milliseconds since 1970; else the end of the run so far'),
});
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
  file: name.nullable().default(defaults.file),
  lemmas: z
    .enum(['yes', 'no'])
    .default('no')
    .transform((text) => text === 'yes')
    .describe('helper lemmas instead of the requested goals'),
  since: z.coerce
    .number()
    .pipe(countSchema)
    .nullable()
    .default(defaults.since)
    .describe('only goals whose latest attempt ended after this moment, in milliseconds since 1970'),
  search: z.string().max(1000).default(defaults.search),
  group: z.enum(goalGroupings).nullable().default(defaults.group),
  sort: z.enum(goalSorts).default(defaults.sort),
  order: z.enum(['ascending', 'descending']).default(defaults.order),
  offset: z.coerce.number().pipe(countSchema).default(defaults.offset),
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

export const promoteBody = z.strictObject({ ticket: name });

/** A request with its defaults filled in. */
export type CheckedControl = z.infer<typeof controlBody>;
