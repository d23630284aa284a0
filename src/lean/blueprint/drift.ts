import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Blueprint, Remark, Statement } from './blueprint.ts';
import type { LeanSide } from './lean-side.ts';
import { sha256 } from '../../core/sha256.ts';

/** The content of a node when it was stated: its text and its declarations. */
const Stated = z.object({ words: z.string(), lean: z.record(z.string(), z.string()) });
export const StatedRecord = z.object({ version: z.literal(1), statements: z.record(z.string(), Stated) });
export type StatedRecord = z.infer<typeof StatedRecord>;

/** The record is next to the blueprint's sources and belongs to the repository. */
export function readRecord(file: string): StatedRecord {
  if (!existsSync(file)) return { version: 1, statements: {} };
  const parsed = StatedRecord.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : { version: 1, statements: {} };
}

/** Nodes that are stated now and were not before; with `renew`, all that are stated. */
export function renewRecord(
  record: StatedRecord,
  blueprint: Blueprint,
  lean: LeanSide,
  renew: boolean,
): StatedRecord {
  const known = blueprint.statements.flatMap((statement) => {
    if (statement.leanOk === null || statement.declarations.length === 0) return [];
    const before = record.statements[statement.id];
    const now = statedNow(blueprint, statement, lean);
    return now ? [[statement.id, before && !renew ? before : now] as const] : [];
  });
  return { version: 1, statements: Object.fromEntries(known.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Statements that have changed since they were stated. */
export function findDrift(record: StatedRecord, blueprint: Blueprint, lean: LeanSide): Remark[] {
  return blueprint.statements.flatMap((statement) => {
    const before = record.statements[statement.id];
    const now = before && statedNow(blueprint, statement, lean);
    if (!before || !now) return [];
    const changed = Object.keys(now.lean).filter(
      (name) => before.lean[name] !== undefined && before.lean[name] !== now.lean[name],
    );
    const remark = (message: string): Remark => ({ kind: 'drift', message, at: statement.range });
    return [
      ...changed.map((name) => remark(`${name} has another meaning than when ${statement.id} was stated`)),
      ...(before.words === now.words
        ? []
        : [remark(`the text of ${statement.id} has changed since it was stated`)]),
    ];
  });
}

function statedNow(
  { files }: Blueprint,
  statement: Statement,
  lean: LeanSide,
): StatedRecord['statements'][string] | undefined {
  const hashes = statement.declarations.flatMap((name) => {
    const fact = lean.names.get(name);
    return fact?.kind === 'declared' ? [[name, fact.statement] as const] : [];
  });
  if (hashes.length === 0) return undefined;
  const { file, start, end } = statement.range;
  return { words: wordsOf((files.get(file) ?? '').slice(start, end)), lean: Object.fromEntries(hashes) };
}

/** The text of a statement, without blueprint macros, comments and line breaks. */
function wordsOf(text: string): string {
  const words = text
    .replaceAll(/(?<!\\)%.*/g, '')
    .replaceAll(/\\(?:leanok|mathlibok|notready)(?![A-Za-z])/g, '')
    .replaceAll(/\\(?:lean|uses|label|discussion|proves)\s*\{[^}]*\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return sha256(words);
}
