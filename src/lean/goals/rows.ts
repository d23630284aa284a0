import * as z from 'zod';
import { UserError, messageOf } from '../../core/errors.ts';
import { failed, success, type Fault, type Result } from '../../core/result.ts';
import { onlyModules } from '../project/environment.ts';
import { declaredAxioms, wholeStatement, type LeanGoal } from './goal.ts';

const moduleName = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
const Label = z.enum(['easy', 'medium', 'hard']);
const Share = z.number().min(0).max(1);
const wantedDifficulty = 'is easy, medium, hard or a number from 0 to 1';

/**
 * A row of the bank or of another problem set. Unknown fields are dropped, above all `reference_proof`: a
 * strategy must not see a proof.
 */
const Row = z.object({
  id: z.string().min(1).optional(),
  preamble: z.string().default(''),
  statement: z.string().regex(/^\s*(?:@\[[^\]]*\]\s*)?(?:theorem|lemma)\s+\S+/, {
    error: 'is "theorem NAME BINDERS : TYPE", without a proof',
  }),
  /** Modules of Lean's library, without anything built on them. */
  imports: z.array(z.string().regex(moduleName, { error: 'is a list of modules' })).optional(),
  topic: z.string().optional(),
  label: Label.optional(),
  difficulty: z
    .union([Label, z.number()], { error: wantedDifficulty })
    .refine((given) => typeof given === 'string' || (given >= 0 && given <= 1), wantedDifficulty)
    .optional(),
  estimated_difficulty: Share.optional(),
  has_axioms: z.boolean().default(false),
  allow_axioms: z.array(z.string()).default([]),
});

/** The goal of one row. `place` is its FILE:LINE. */
export function goalOfRow(row: unknown, place: string): LeanGoal {
  const parsed = Row.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw badRow(place, `${field === '' ? 'the row' : `"${field}"`} ${issue?.message ?? 'is not readable'}`);
  }
  const { id, preamble, statement, imports, topic, label, difficulty, ...rest } = parsed.data;
  const { estimated_difficulty, has_axioms, allow_axioms } = rest;
  const estimate = typeof difficulty === 'number' ? difficulty : estimated_difficulty;
  return {
    id: id ?? nameIn(statement),
    preamble,
    ...(imports && { environment: onlyModules(imports) }),
    statement: statement.trim(),
    holes: wholeStatement,
    topic: topic ?? null,
    label: label ?? (typeof difficulty === 'string' ? difficulty : null),
    ...(estimate !== undefined && { estimate }),
    allowAxioms: [...allow_axioms, ...(has_axioms ? declaredAxioms(preamble) : [])],
    source: place,
  };
}

/** A row of a file, or why it is invalid. */
export interface RawRow {
  readonly place: string;
  readonly raw: Result<unknown>;
}

/** The rows of a JSONL text with their line numbers; empty lines do not count. */
export function* rowsOf(text: string, file: string): Generator<RawRow> {
  for (const [index, line] of text.replace('\uFEFF', '').split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${file}:${index + 1}`;
    try {
      const row: unknown = JSON.parse(line);
      yield { raw: success(row), place };
    } catch (error) {
      yield { raw: failed(rowFault(place, `the line is not JSON (${messageOf(error)})`)), place };
    }
  }
}

export function badRow(place: string, what: string): UserError {
  const { kind, message, fix } = rowFault(place, what);
  return new UserError(kind, message, fix);
}

function rowFault(place: string, what: string): Fault {
  return {
    kind: 'bad-goal',
    message: `${place}: ${what}`,
    fix: 'A row is {"id", "statement", "preamble"?, "imports"?, "topic"?, "label"?, "difficulty"?} or a SorryDB record.',
  };
}

function nameIn(statement: string): string {
  return /(?:theorem|lemma)\s+([^\s:({[⦃]+)/.exec(statement)?.[1] ?? statement;
}
