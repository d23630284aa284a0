import * as z from 'zod';
import type { CoverageView } from '../../shared/coverage.ts';
import { goalStatuses } from '../../shared/ledger.ts';
import { countSchema, seq, texts, time } from './rows.ts';

const chapter = z.strictObject({
  chapter: z.string(),
  nodes: countSchema,
  stated: countSchema,
  proofs: countSchema,
  proved: countSchema,
  fully_proved: countSchema,
  can_state: countSchema,
  can_prove: countSchema,
});

const node = z.strictObject({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  chapter: z.string(),
  declarations: texts,
  border: z.string().nullable(),
  fill: z.string().nullable(),
  proved: z.boolean(),
  critical: z.strictObject({ blocks: countSchema, waits: countSchema, value: z.number() }).nullable(),
  goal: z.strictObject({ run: z.string(), goal: z.string(), status: z.enum(goalStatuses) }).nullable(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

const edge = z.strictObject({
  from: z.string(),
  to: z.string(),
  in_statement: z.boolean(),
  path: z.string(),
});

/** Of /api/coverage. */
export const coverage: z.ZodType<CoverageView> = z.strictObject({
  seq,
  blueprint: z
    .strictObject({
      chapters: z.array(chapter),
      total: chapter,
      nodes: z.array(node),
      edges: z.array(edge),
      width: z.number(),
      height: z.number(),
      path: texts,
      history: z.array(z.strictObject({ run: z.string(), at: time, proved: countSchema })),
    })
    .nullable(),
});
