import { existsSync } from 'node:fs';
import path from 'node:path';
import { UserError, messageOf } from '../../core/errors.ts';
import { success, valueOrThrow, type Result } from '../../core/result.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import type { Failure } from '../base/protocol.ts';
import type { GoalsRead, LeanGoal, UnreadableGoal } from './goal.ts';
import { readLeanText, type FileGoal, type FileRead } from './lean-file.ts';
import { shortName } from './names.ts';
import { badRow, goalOfRow, rowsOf, type RawRow } from './rows.ts';
import { looksLikeSorryRecord, parseSorryRecord, placesOf, type SorryRecord } from './sorry-record.ts';
import { readTextFile } from '../../io/text-file.ts';

/** Lends a worker that reads text, or returns why there is none; called only if needed. */
export type BorrowLean = <Value>(
  environment: LeanEnvironment,
  talk: (lease: Lease) => Promise<Result<Value, Failure>>,
) => Promise<Result<Value, Failure>>;

export interface ReadOptions {
  /** One unreadable row refuses all of them. */
  readonly strict?: boolean;
}

/**
 * The goals of a file: JSONL rows (ours, `{"preamble", "statement"}`, SorryDB records), a SorryDB database in one JSON
 * object, or the `sorry`s of a Lean file. Unreadable entries are listed; a file with only such entries is an error.
 */
export async function readGoals(
  file: string,
  lean: BorrowLean,
  options: ReadOptions = {},
): Promise<GoalsRead> {
  const text = readGoalText(file);
  const reader = new Reader(path.dirname(file), lean, options);
  if (file.endsWith('.lean')) await reader.addFile(text, file);
  else if (file.endsWith('.json')) await reader.addRows(databaseRows(text, file));
  else await reader.addRows(rowsOf(text, file));
  if (!file.endsWith('.lean')) reader.refuseNoRows(file);
  return reader.result();
}

class Reader {
  readonly #folder: string;
  readonly #lean: BorrowLean;
  readonly #options: ReadOptions;
  readonly #goals: LeanGoal[] = [];
  readonly #unreadable: UnreadableGoal[] = [];
  readonly #ids = new Map<string, string>();
  /** Files that records name, each read once. */
  readonly #files = new Map<string, Result<FileRead, Failure>>();
  #firstBad: UserError | undefined;
  #rows = 0;

  constructor(folder: string, lean: BorrowLean, options: ReadOptions) {
    this.#folder = folder;
    this.#lean = lean;
    this.#options = options;
  }

  async addRows(rows: Iterable<RawRow>): Promise<void> {
    for (const row of rows) {
      this.#rows++;
      try {
        const raw = valueOrThrow(row.raw);
        if (looksLikeSorryRecord(raw)) await this.#addRecord(raw, row.place);
        else this.#add(goalOfRow(raw, row.place), row.place);
      } catch (error) {
        if (!(error instanceof UserError) || this.#options.strict) throw error;
        this.#firstBad ??= error;
        this.#leave({ id: row.place, source: row.place, message: error.message });
      }
    }
  }

  refuseNoRows(file: string): void {
    if (this.#rows > 0) return;
    throw new UserError(
      'no-goals',
      `${file} has no goals`,
      'Write one JSON object per line: {"statement": "theorem …"}.',
    );
  }

  async addFile(text: string, file: string): Promise<void> {
    const read = await this.#read(file, text);
    if (!read.ok) {
      if (read.error.kind === 'parse') throw doesNotParse(describeParse(file, read.error));
      this.#leave({ id: file, source: `${file}:1`, message: describeFailure(read.error) });
      return;
    }
    const { goals, parseError } = read.value;
    if (parseError !== undefined && goals.every(({ goal }) => !goal)) throw doesNotParse(parseError);
    for (const found of goals) this.#addFound(found, found.id, found.source);
  }

  /** If nothing could be read, the first problem is the error. */
  result(): GoalsRead {
    if (this.#firstBad && this.#goals.length === 0) throw this.#firstBad;
    return { goals: this.#goals, unreadable: this.#unreadable, warnings: this.#warnings() };
  }

  #warnings(): string[] {
    return [...this.#files].flatMap(([file, read]) => {
      if (!read.ok || read.value.loose.length === 0) return [];
      const { loose } = read.value;
      const [verb, it] = loose.length === 1 ? ['a variable', 'it'] : ['variables', 'them'];
      return [
        `${file}: Lean makes ${loose.join(', ')} ${verb}, because nothing declares ${it} (option autoImplicit)`,
      ];
    });
  }

  async #addRecord(row: unknown, place: string): Promise<void> {
    const parsed = parseSorryRecord(row);
    if (!parsed.ok) throw badRow(place, parsed.error.message);
    const record = parsed.value;
    const file = placesOf(record)
      .map((below) => path.join(this.#folder, below))
      .find((candidate) => existsSync(candidate));
    const give = (message: string): void => {
      this.#leave({ id: record.id, source: place, message });
    };
    if (file === undefined) return give(missingFile(record));
    const read = await this.#read(file, readGoalText(file));
    if (!read.ok) return give(describeFailure(read.error));
    const found = read.value.goals.find((goal) => isAt(goal, record));
    if (!found) return give(`${file} has no sorry at line ${record.location.start_line}`);
    this.#addFound(found, record.id, place);
  }

  async #read(file: string, text: string): Promise<Result<FileRead, Failure>> {
    const known = this.#files.get(file);
    if (known) return known;
    const environment = environmentOfFile(file, text);
    const read = await this.#lean(
      environment,
      async (lease) => await readLeanText(lease, text, file, environment),
    );
    this.#files.set(file, read);
    return read;
  }

  #addFound(found: FileGoal, id: string, place: string): void {
    if (found.goal) this.#add({ ...found.goal, id }, place);
    else this.#leave({ id, source: found.source, message: found.message });
  }

  #leave(unreadable: UnreadableGoal): void {
    this.#unreadable.push({ ...unreadable, id: shortName(unreadable.id) });
  }

  #add(goal: LeanGoal, place: string): void {
    const id = shortName(goal.id);
    const first = this.#ids.get(id);
    if (first !== undefined) throw badRow(place, `the id "${id}" is already used by ${first}`);
    this.#ids.set(id, place);
    this.#goals.push({ ...goal, id });
  }
}

/** Why Lean could not read a file, in a line. */
function describeFailure({ kind, message, missing }: Failure): string {
  return `${kind}: ${message}${missing.length > 0 ? ` (${missing.join(', ')})` : ''}`;
}

function describeParse(file: string, { message, messages: [first] }: Failure): string {
  return first ? `${file}:${first.start[0]}:${first.start[1] + 1}: ${first.text}` : `${file}: ${message}`;
}

function doesNotParse(where: string): UserError {
  return new UserError('does-not-parse', where, 'Lean found nothing else in it to work on.');
}

function isAt(goal: FileGoal, { location }: SorryRecord): boolean {
  return goal.sorries.some(
    ({ start: [line, column] }) =>
      line === location.start_line &&
      (location.start_column === undefined || column === location.start_column),
  );
}

function missingFile({ repo, location }: SorryRecord): string {
  const file = location.path ?? location.file ?? '';
  const commit = repo.commit === undefined ? '' : ` at ${repo.commit}`;
  return `the file ${file} was not found; check out ${repo.remote}${commit} next to the records`;
}

function databaseRows(text: string, file: string): RawRow[] {
  const parsed = parseJson(text, file);
  const rows = Array.isArray(parsed) ? parsed : (parsed as { sorries?: unknown } | null)?.sorries;
  if (!Array.isArray(rows)) throw badRow(`${file}:1`, 'a SorryDB database has a list "sorries"');
  return rows.map((row: unknown, index) => ({ raw: success(row), place: `${file}, record ${index + 1}` }));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRow(`${file}:1`, `the file is not JSON (${messageOf(error)})`);
  }
}

/** The text of a file named as a source of goals. */
export function readGoalText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('no-goals', `cannot read ${file} (${messageOf(error)})`, 'Check the name.', {
      cause: error,
    });
  }
}
