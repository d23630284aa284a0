import * as z from 'zod';
import { verdict as verdictWord } from '../../shared/schemas/rows.ts';

/** Results of the tools; clients get these as output schemas. Objects may gain fields, so clients must ignore unknown ones. */

const text = z.string();
const nullableText = text.nullable();
const position = z.int().min(1);

const ofFile = {
  file: text.describe('Relative to the project'),
  version: text.describe('Hash of the text that was read'),
  stale: z.boolean().describe('The file has changed since; repeat the request'),
};

const diagnostic = z.looseObject({
  severity: z.enum(['error', 'warning', 'info']),
  message: text,
  line: position,
  column: position,
});

const verdict = z.looseObject({
  verdict: verdictWord,
  kind: text.describe('A stable word for the reason'),
  message: text,
  name: text.optional(),
  assurance: nullableText,
  axioms: z.array(text),
  cpu_seconds: z.number(),
});

export const goals = z.looseObject({
  goals: z.array(
    z.looseObject({
      id: text,
      file: text,
      line: position.nullable(),
      column: position.nullable(),
      declaration: nullableText,
      goal: nullableText,
      statement: nullableText,
      reason: nullableText.describe('Why it cannot be worked on'),
    }),
  ),
  total: z.int().describe('Of all goals, also those not in this answer'),
  unread: z.array(z.looseObject({ file: text, message: text })),
  stale: z.boolean(),
});

export const goalAtLine = z.looseObject({
  ...ofFile,
  line: position,
  declaration: nullableText,
  is_sorry: z.boolean(),
  goals_before: z.array(text),
  goals_after: z.array(text),
  status: z.enum(['goal', 'no_goal_at_position']),
});

export const attempts = z.looseObject({
  ...ofFile,
  goals: z.array(text),
  items: z.array(
    z.looseObject({
      snippet: text,
      ok: z.boolean(),
      closed: z.boolean().optional(),
      goals: z.array(text).optional(),
      messages: z.array(text).optional(),
      kind: text.optional(),
      error: text.optional(),
    }),
  ),
});

export const diagnostics = z.looseObject({
  success: z.boolean().describe('No errors. Not a verdict: see lean_verify'),
  diagnostics: z.array(diagnostic),
});

export const fileDiagnostics = diagnostics.extend(ofFile);

/** Of a statement with its proof: a verdict; of a file: one per theorem. */
export const verified = z.looseObject({
  ...verdict.partial().shape,
  file: text.optional(),
  version: text.optional(),
  stale: z.boolean().optional(),
  verdicts: z.array(verdict).optional(),
});

export const proved = z.looseObject({
  statement: text,
  solved: z.boolean(),
  proof: nullableText.optional(),
  reason: nullableText.optional(),
  ticket: text.optional().describe('The ticket that requests this unsolved goal as a lemma'),
});

export const submitted = z.looseObject({
  written: z.boolean(),
  file: text,
  why: text.optional().describe('Why nothing was written'),
  version: text.optional(),
  patch: text.optional(),
});

export const premises = z.looseObject({
  premises: z.array(z.looseObject({ name: text })),
});

export const declarations = z.looseObject({
  items: z.array(z.looseObject({ name: text, kind: text, file: text, line: position })),
  total: z.int(),
});

export const hover = z.looseObject({
  ...ofFile,
  symbol: text,
  info: text.describe('NAME : TYPE, or a signature'),
  documentation: nullableText,
});

export const completions = z.looseObject({
  prefix: text,
  items: z.array(z.looseObject({ label: text, detail: text })),
  total: z.int(),
});

export const references = z.looseObject({
  symbol: text,
  items: z.array(z.looseObject({ file: text, line: position, column: position, text, found_by: text })),
  total: z.int(),
});

const declared = { name: text, kind: text, line: position, end_line: position };

export const source = z.looseObject({
  symbol: text,
  items: z.array(z.looseObject({ ...declared, file: text, source: text })),
  library: z.looseObject({ module: text, statement: text, kind: text }).nullable(),
});

export const outline = z.looseObject({ ...ofFile, items: z.array(z.looseObject(declared)) });

export const tickets = z.looseObject({ tickets: z.array(z.looseObject({ ticket_id: text })) });

export const waited = z.looseObject({
  completed: z.array(z.looseObject({ ticket_id: text, goal: text, completed_proof: text })),
  timed_out: z.boolean(),
});

/** `kind` says what happened: opened, known, reused, claimed, taken, judged. */
export const ticketAnswer = z.looseObject({ kind: text });

export const blueprintCoverage = z.looseObject({
  total: z.looseObject({ nodes: z.int(), stated: z.int(), proofs: z.int(), proved: z.int() }),
  nodes: z.array(z.looseObject({ id: text, kind: text, lean: z.array(text), uses: z.array(text) })),
});

export const critical = z.looseObject({ nodes: z.array(z.looseObject({ id: text })), path: z.array(text) });

export const statistics = z.looseObject({
  total_attempts: z.int(),
  successes: z.int(),
  goals_known: z.int(),
  goals_solved: z.int(),
  strategies: z.array(z.looseObject({ strategy: text })),
  tickets: z.record(text, z.int()),
});

/** Everything that the ledger has about a goal; empty for an unknown goal. */
export const why = z.looseObject({ goal: text.optional(), status: text.optional() });
