import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Lease } from '../pool.ts';
import type { GoalsRead, LeanGoal, UnreadableGoal } from './goal.ts';
import { sorriesOfText, type FileGoal } from './lean-file.ts';
import { badRow, goalOfRow, rowsOf } from './rows.ts';
import { looksLikeSorryRecord, parseSorryRecord, placesOf, type SorryRecord } from './sorry-record.ts';

/** A worker to read Lean files with; asked for only when there is one to read. */
export type BorrowLean = <Value>(talk: (lease: Lease) => Promise<Value>) => Promise<Value>;

/**
 * The goals of a file: JSONL rows (ours, `{"preamble", "statement"}`, SorryDB records), a SorryDB database in one JSON
 * object, or the `sorry`s of a Lean file.
 */
export async function readGoals(file: string, lean: BorrowLean): Promise<GoalsRead> {
  const text = readText(file);
  const reader = new Reader(path.dirname(file), lean);
  if (file.endsWith('.lean')) await reader.addFile(text, file);
  else if (file.endsWith('.json')) await reader.addRows(databaseRows(text, file));
  else await reader.addRows(rowsOf(text, file));
  return reader.result();
}

class Reader {
  readonly #folder: string;
  readonly #lean: BorrowLean;
  readonly #goals: LeanGoal[] = [];
  readonly #unreadable: UnreadableGoal[] = [];
  readonly #ids = new Map<string, string>();
  /** Files that records name, each read once. */
  readonly #files = new Map<string, FileGoal[]>();

  constructor(folder: string, lean: BorrowLean) {
    this.#folder = folder;
    this.#lean = lean;
  }

  async addRows(rows: Iterable<{ row: unknown; place: string }>): Promise<void> {
    for (const { row, place } of rows) {
      if (looksLikeSorryRecord(row)) await this.#addRecord(row, place);
      else this.#add(goalOfRow(row, place), place);
    }
  }

  async addFile(text: string, file: string): Promise<void> {
    for (const found of await this.#read(file, text)) this.#addFound(found, found.id, found.source);
  }

  result(): GoalsRead {
    return { goals: this.#goals, unreadable: this.#unreadable };
  }

  async #addRecord(row: unknown, place: string): Promise<void> {
    const record = parseSorryRecord(row);
    if (typeof record === 'string') throw badRow(place, record);
    const file = placesOf(record)
      .map((below) => path.join(this.#folder, below))
      .find((candidate) => existsSync(candidate));
    const give = (message: string): void => {
      this.#unreadable.push({ id: record.id, source: place, message });
    };
    if (file === undefined) return give(missingFile(record));
    const found = (await this.#read(file, readText(file))).find((goal) => isAt(goal, record));
    if (!found) return give(`${file} has no sorry at line ${record.location.start_line}`);
    this.#addFound(found, record.id, place);
  }

  async #read(file: string, text: string): Promise<FileGoal[]> {
    const known = this.#files.get(file);
    if (known) return known;
    const found = await this.#lean(async (lease) => await sorriesOfText(lease, text, file));
    this.#files.set(file, found);
    return found;
  }

  #addFound(found: FileGoal, id: string, place: string): void {
    if (found.goal) this.#add({ ...found.goal, id }, place);
    else this.#unreadable.push({ id, source: found.source, message: found.message });
  }

  #add(goal: LeanGoal, place: string): void {
    const first = this.#ids.get(goal.id);
    if (first !== undefined) throw badRow(place, `the id "${goal.id}" is taken already, by ${first}`);
    this.#ids.set(goal.id, place);
    this.#goals.push(goal);
  }
}

function isAt(goal: FileGoal, { location }: SorryRecord): boolean {
  return goal.sorries.some(
    ([line, column]) =>
      line === location.start_line &&
      (location.start_column === undefined || column === location.start_column),
  );
}

function missingFile({ repo, location }: SorryRecord): string {
  const file = location.path ?? location.file ?? '';
  const commit = repo.commit === undefined ? '' : ` at ${repo.commit}`;
  return `the file ${file} is not here; check ${repo.remote}${commit} out beside the records`;
}

function databaseRows(text: string, file: string): { row: unknown; place: string }[] {
  const parsed = parseJson(text, file);
  const rows = Array.isArray(parsed) ? parsed : (parsed as { sorries?: unknown } | null)?.sorries;
  if (!Array.isArray(rows)) throw badRow(`${file}:1`, 'a SorryDB database has a list "sorries"');
  return rows.map((row: unknown, index) => ({ row, place: `${file}, record ${index + 1}` }));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRow(`${file}:1`, `the file is not JSON (${(error as Error).message})`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(
      'no-goals',
      `cannot read ${file} (${(error as Error).message})`,
      'Is the name right?',
      {
        cause: error,
      },
    );
  }
}
