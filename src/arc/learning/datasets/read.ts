import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError, messageOf } from '../../../core/errors.ts';
import { indexSchema, traceSchema, type TaskTrace } from '../schemas.ts';

/** The traces of a batch folder in the order of its index, each checked; nothing is searched. */
export function readTraces(folder: string, failedOnly: boolean): TaskTrace[] {
  const file = join(folder, 'index.jsonl');
  if (!existsSync(file))
    throw new UserError(
      'ARC_TRACES_MISSING',
      `there is no index.jsonl in ${folder}`,
      'Run with --critic-batch-run --out-dir first: it writes the traces that datasets are built from.',
    );
  const index = jsonLines(file).map((line, i) => checked(indexSchema, line, `${file}:${i + 1}`));
  return index
    .filter(({ solved }) => !(failedOnly && solved))
    .map((row) => {
      const path = join(folder, row.file);
      return checked(traceSchema, readFileSync(path, 'utf8'), path);
    });
}

function jsonLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** One row checked against its schema, or an error. */
function checked<Value>(schema: { parse(value: unknown): Value }, text: string, place: string): Value {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new UserError(
      'ARC_ROW_SHAPE',
      `${place} was not written by this version: ${messageOf(error).slice(0, 300)}`,
      'Build the folder again with this version.',
      { cause: error },
    );
  }
}
