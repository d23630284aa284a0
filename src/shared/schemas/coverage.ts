import * as z from 'zod';
import { goalStatuses } from '../ledger.ts';
import { countSchema, seq, texts, time } from './rows.ts';

const chapter = z.strictObject({
  chapter: z.string(),
  nodes: countSchema,
  stated: countSchema,
  /** Nodes that need a proof: all except definitions. */
  proofs: countSchema,
  proved: countSchema,
  fully_proved: countSchema,
  /** Not stated or not proved yet, and nothing blocks it. */
  can_state: countSchema,
  can_prove: countSchema,
});

const node = z.strictObject({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  chapter: z.string(),
  declarations: texts,
  /** In leanblueprint's colours; null: none. */
  border: z.string().nullable(),
  fill: z.string().nullable(),
  proved: z.boolean(),
  /** For an unproved node: the value of working on it, and what blocks it. */
  critical: z.strictObject({ blocks: countSchema, waits: countSchema, value: z.number() }).nullable(),
  /** The newest goal of one of its declarations. */
  goal: z
    .strictObject({
      run: z.string(),
      goal: z.string(),
      statement: z.string(),
      status: z.enum(goalStatuses),
    })
    .nullable(),
  /** The centre, in points from the top left corner. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
});

const edge = z.strictObject({
  from: z.string(),
  to: z.string(),
  in_statement: z.boolean(),
  /** A path of SVG. */
  path: z.string(),
});

/** Of /api/coverage. */
export const coverage = z.strictObject({
  seq,
  /** Null: the project has none. */
  blueprint: z
    .strictObject({
      chapters: z.array(chapter),
      total: chapter,
      nodes: z.array(node),
      edges: z.array(edge),
      /** Of the drawing, in points. */
      width: z.number(),
      height: z.number(),
      /** The longest chain of unproved nodes. */
      path: texts,
      /** Number of proofs in the blueprint after each run, oldest first. */
      history: z.array(z.strictObject({ run: z.string(), at: time, proved: countSchema })),
    })
    .nullable(),
});
