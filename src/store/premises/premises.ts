import { readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeOnce } from '../../io/file-lock.ts';
import type { Premise, PremiseIndex, Ranked } from './premise.ts';
import { connect, type SqliteDatabase } from '../sqlite/database.ts';
import { wordsOf } from './words.ts';

/** Version of the schema, part of the file's name. */
export const premisesVersion = 6;
const schema = fileURLToPath(new URL('../../../sql/premises/index.sql', import.meta.url));

/** A symbol in more premises than this finds no candidates; it only counts in the ranking. */
const maxCommon = 1500;
/** Number of candidates that are ranked by all symbols, and number of top ones whose symbols extend the query. */
const weighed = 400;
const lenders = 6;
const lentShare = 0.3;
/** A query uses its rarest words; a word in more than this share of all premises is ignored. */
const maxWords = 16;
const maxWordShare = 0.3;
/** Size of a page when the whole list is read. */
const readAtOnce = 1000;

/** A condition on premises, with the list of modules as its parameter. */
const among = 'AND premises.module IN (SELECT value FROM json_each(?))';

interface SymbolRow {
  readonly id: number;
  readonly name: string;
  readonly premises: number;
  readonly weight: number;
}

interface Found {
  readonly name: string;
  readonly symbols: string;
  readonly weight: number;
}

/** Opens the index at a file, or builds it from the premises that `read` returns. */
export async function openPremises(
  file: string,
  read: () => AsyncIterable<readonly Premise[]>,
): Promise<PremiseIndex> {
  await makeOnce(file, async () => await build(file, read()));
  return new SqlitePremises(connect(file, true));
}

/** Built under a temporary name, so an existing file is complete. */
async function build(file: string, pages: AsyncIterable<readonly Premise[]>): Promise<void> {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const all: Premise[] = [];
  // a page of 200,000 premises is too long for a list of arguments
  for await (const page of pages) for (const premise of page) all.push(premise);
  try {
    using database = connect(draft, false);
    database.execute('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    database.execute(readFileSync(schema, 'utf8'));
    database.transaction(() => insert(database, distinct(all)));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  renameSync(draft, file);
}

/** Pages may overlap, and libraries contain equal theorems: of those the shortest name is kept. */
function distinct(premises: readonly Premise[]): Premise[] {
  const kept = new Map<string, Premise>();
  for (const premise of premises) {
    const meaning = meaningOf(premise);
    const known = kept.get(meaning);
    if (!known || comesBefore(premise.name, known.name)) kept.set(meaning, premise);
  }
  return [...kept.values()];
}

/** Definitions with the same type are different premises. */
function meaningOf({ name, kind, symbols, shape }: Premise): string {
  return kind === 'theorem' && shape !== undefined ? JSON.stringify([shape, symbols]) : name;
}

function comesBefore(name: string, other: string): boolean {
  return name.length === other.length ? name < other : name.length < other.length;
}

function insert(database: SqliteDatabase, premises: readonly Premise[]): void {
  const counts = new Map<string, number>();
  for (const { symbols } of premises)
    for (const symbol of new Set(symbols)) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const symbols = new Map<string, { id: number; weight: number }>();
  for (const [name, count] of counts) {
    const weight = weightOf(count);
    const id = database.run(
      'INSERT INTO symbols (name, premises, weight) VALUES (?, ?, ?)',
      name,
      count,
      weight,
    );
    symbols.set(name, { id, weight });
  }
  for (const { name, kind, module, symbols: mentioned } of premises) {
    const its = [...new Set(mentioned)].flatMap((symbol) => symbols.get(symbol) ?? []);
    const weight = its.reduce((sum, symbol) => sum + symbol.weight, 0);
    const numbers = its.map(({ id }) => id);
    const id = database.run(
      'INSERT INTO premises (name, kind, module, symbols, weight) VALUES (?, ?, ?, ?, ?)',
      name,
      kind,
      module,
      JSON.stringify(numbers),
      weight,
    );
    for (const symbol of numbers)
      database.run('INSERT INTO occurrences (symbol, premise) VALUES (?, ?)', symbol, id);
    const words = mentioned.flatMap(wordsOf).join(' ');
    database.run(
      'INSERT INTO premise_words (rowid, name, words) VALUES (?, ?, ?)',
      id,
      wordsOf(name).join(' '),
      words,
    );
  }
}

/** MePo's weights: low for common symbols. */
function weightOf(count: number): number {
  return 0.2 + 2 / Math.log2(count + 1);
}

class SqlitePremises implements PremiseIndex {
  readonly size: number;
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    const [row] = database.all<{ size: number }>('SELECT count(*) AS size FROM premises');
    this.size = row?.size ?? 0;
  }

  bySymbols(symbols: readonly string[], limit: number, modules?: readonly string[]): Ranked[] {
    const wanted = new Map(this.#symbols(symbols).map(({ id, weight }) => [id, weight]));
    const first = this.#nearest(wanted, weighed, modules);
    // other symbols of the closest premises are related to the goal too
    for (const { symbols: theirs } of first.slice(0, lenders))
      for (const id of theirs) if (!wanted.has(id)) wanted.set(id, lentShare * (this.#weights.get(id) ?? 0));
    return this.#nearest(wanted, limit, modules).map(({ name, score }) => ({ name, score }));
  }

  byWords(text: string, limit: number, modules?: readonly string[]): Ranked[] {
    const words = this.#rareWords(text);
    if (words.length === 0) return [];
    return this.#database.all<{ name: string; score: number }>(
      `SELECT premises.name, -bm25(premise_words, 2.0, 1.0) AS score
       FROM premise_words JOIN premises ON premises.id = premise_words.rowid
       WHERE premise_words MATCH ? ${modules ? among : ''} ORDER BY bm25(premise_words, 2.0, 1.0) LIMIT ?`,
      words.map((word) => `"${word}"`).join(' OR '),
      ...(modules ? [JSON.stringify(modules)] : []),
      limit,
    );
  }

  find(names: readonly string[]): Premise[] {
    const rows = this.#database.all<Omit<Premise, 'symbols'> & { symbols: string }>(
      `SELECT name, kind, module,
         (SELECT json_group_array(symbols.name) FROM json_each(premises.symbols) JOIN symbols ON symbols.id = value) AS symbols
       FROM premises WHERE name IN (SELECT value FROM json_each(?))`,
      JSON.stringify(names),
    );
    return rows.map((row) => ({ ...row, symbols: JSON.parse(row.symbols) as string[] }));
  }

  beginningWith(text: string, limit: number): string[] {
    return this.#database
      .all<{ name: string }>(
        'SELECT name FROM premises WHERE name >= ?1 AND name < ?2 ORDER BY length(name), name LIMIT ?3',
        text,
        `${text}\u{10FFFF}`,
        limit,
      )
      .map(({ name }) => name);
  }

  endingWith(text: string, limit: number): string[] {
    return this.#database
      .all<{ name: string }>(
        `SELECT name FROM premises WHERE name = ?1 OR substr(name, -length(?1) - 1) = '.' || ?1
         ORDER BY length(name), name LIMIT ?2`,
        text,
        limit,
      )
      .map(({ name }) => name);
  }

  inModules(modules: readonly string[]): string[] {
    return this.#database
      .all<{ name: string }>(
        'SELECT name FROM premises WHERE module IN (SELECT value FROM json_each(?))',
        JSON.stringify(modules),
      )
      .map(({ name }) => name);
  }

  *all(): Iterable<Premise> {
    for (let after = 0; ;) {
      const rows = this.#database.all<{ id: number; name: string }>(
        'SELECT id, name FROM premises WHERE id > ? ORDER BY id LIMIT ?',
        after,
        readAtOnce,
      );
      yield* this.find(rows.map(({ name }) => name));
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  close(): void {
    this.#database.close();
  }

  #rareWords(text: string): string[] {
    const asked = [...new Set(wordsOf(text))].filter((word) => word.length > 1);
    return this.#database
      .all<{ term: string }>(
        `SELECT term FROM word_counts WHERE term IN (SELECT value FROM json_each(?)) AND doc <= ?
         ORDER BY doc, term LIMIT ?`,
        JSON.stringify(asked),
        Math.max(maxCommon, maxWordShare * this.size),
        maxWords,
      )
      .map(({ term }) => term);
  }

  #symbols(names: readonly string[]): SymbolRow[] {
    return this.#database.all<SymbolRow>(
      'SELECT id, name, premises, weight FROM symbols WHERE name IN (SELECT value FROM json_each(?))',
      JSON.stringify(names),
    );
  }

  /** Candidates by rare symbols, ordered by the shared part of both sides. */
  #nearest(
    wanted: ReadonlyMap<number, number>,
    limit: number,
    modules: readonly string[] | undefined,
  ): (Ranked & { readonly symbols: readonly number[] })[] {
    const found = this.#database.all<Found>(
      `SELECT premises.name, premises.symbols, premises.weight
       FROM (SELECT occurrences.premise, sum(symbols.weight) AS shared
             FROM json_each(?) JOIN symbols ON symbols.id = value AND symbols.premises <= ?
               JOIN occurrences ON occurrences.symbol = symbols.id
               ${modules ? `JOIN premises ON premises.id = occurrences.premise ${among}` : ''}
             GROUP BY occurrences.premise ORDER BY shared DESC LIMIT ?)
         JOIN premises ON premises.id = premise`,
      JSON.stringify([...wanted.keys()]),
      maxCommon,
      ...(modules ? [JSON.stringify(modules)] : []),
      weighed,
    );
    const goal = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
    return found
      .map(({ name, symbols, weight }) => {
        const numbers = JSON.parse(symbols) as number[];
        const shared = numbers.reduce((sum, id) => sum + (wanted.get(id) ?? 0), 0);
        return { name, symbols: numbers, score: shared / (goal + weight - shared) };
      })
      .sort((first, second) => second.score - first.score)
      .slice(0, limit);
  }

  get #weights(): ReadonlyMap<number, number> {
    this.#weightCache ??= new Map(
      this.#database
        .all<{ id: number; weight: number }>('SELECT id, weight FROM symbols')
        .map(({ id, weight }) => [id, weight]),
    );
    return this.#weightCache;
  }
  #weightCache: ReadonlyMap<number, number> | undefined;
}
