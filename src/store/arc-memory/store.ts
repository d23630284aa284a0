import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../core/folders.ts';
import { replaceFile } from '../../io/whole-file.ts';
import { connect, decode, type SqliteDatabase, type Row } from '../sqlite/database.ts';
import { sha256 } from '../../core/sha256.ts';

/** `sql/` is next to `src/` in a clone and next to `dist/` in a tarball. */
const migrationFolder = fileURLToPath(new URL('../../../sql/arc-memory/', import.meta.url));

export interface EpisodeRow {
  readonly run_key: string;
  readonly task_id: string;
  readonly fingerprint: string;
  readonly facts_hash: string;
  readonly config_hash: string;
  readonly fact_features: readonly string[];
  readonly best_score: number;
  readonly solved: number;
  readonly iterations: number;
}

export interface MemoryAttempt {
  readonly run_key: string;
  readonly task_id: string;
  readonly candidate_id: string;
  readonly parent_id: string | null;
  readonly program: string;
  readonly ops_signature: string;
  readonly feature_vec: unknown;
  readonly verifier_score: number;
  readonly error_type: string;
}

export interface GoldRow {
  readonly fingerprint: string;
  readonly program: string;
  readonly price: number;
  readonly fact_features: readonly string[];
}

export interface FragmentRow {
  readonly fragment_id: string;
  readonly fingerprint: string;
  readonly program: string;
  readonly gain: number;
}

export interface CaseRow {
  readonly ops_signature: string;
  readonly error_type: string;
  readonly directive: string;
  readonly n: number;
  readonly improved: number;
  readonly sum_delta: number;
  readonly best_delta: number;
  readonly exemplar: string;
}

export const memoryTables = ['episodes', 'attempts', 'gold_solutions', 'fragments', 'cases'] as const;
export type MemoryTable = (typeof memoryTables)[number];

/** The memory of one namespace in a folder: a database, with blobs named by their hash next to it. */
export class ArcMemoryStore {
  readonly #database: SqliteDatabase;
  readonly #blobs: string;
  readonly #namespace: string;

  constructor(folder: string, namespace: string) {
    this.#blobs = path.join(folder, 'blobs');
    makeFolders(this.#blobs);
    this.#database = connect(path.join(folder, 'memory.db'), false);
    this.#namespace = namespace;
    migrate(this.#database);
  }

  transaction<Value>(work: () => Value): Value {
    return this.#database.transaction(work);
  }

  addEpisode(row: EpisodeRow): void {
    this.#database.run(
      `INSERT OR REPLACE INTO episodes
         (namespace, run_key, task_id, fingerprint, facts_hash, config_hash, fact_features, best_score, solved, iterations)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#namespace,
      row.run_key,
      row.task_id,
      row.fingerprint,
      row.facts_hash,
      row.config_hash,
      JSON.stringify(row.fact_features),
      row.best_score,
      row.solved,
      row.iterations,
    );
  }

  addAttempt(row: MemoryAttempt): void {
    this.#database.run(
      `INSERT OR REPLACE INTO attempts
         (namespace, run_key, task_id, candidate_id, parent_id, program, ops_signature, feature_vec, verifier_score, error_type)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#namespace,
      row.run_key,
      row.task_id,
      row.candidate_id,
      row.parent_id,
      row.program,
      row.ops_signature,
      JSON.stringify(row.feature_vec),
      row.verifier_score,
      row.error_type,
    );
  }

  /** Keeps the cheapest program per fingerprint. */
  addGold(row: GoldRow): void {
    this.#database.run(
      `INSERT INTO gold_solutions (namespace, fingerprint, program, price, fact_features) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET program = excluded.program, price = excluded.price
         WHERE excluded.price < gold_solutions.price`,
      this.#namespace,
      row.fingerprint,
      row.program,
      row.price,
      JSON.stringify(row.fact_features),
    );
  }

  addFragment(row: FragmentRow): void {
    this.#database.run(
      `INSERT OR REPLACE INTO fragments (namespace, fragment_id, fingerprint, program, gain) VALUES (?, ?, ?, ?, ?)`,
      this.#namespace,
      row.fragment_id,
      row.fingerprint,
      row.program,
      row.gain,
    );
  }

  /** Adds the effect of a directive for one signature and error. */
  addCase(row: CaseRow): void {
    this.#database.run(
      `INSERT INTO cases (namespace, ops_signature, error_type, directive, n, improved, sum_delta, best_delta, exemplar)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET n = n + excluded.n, improved = improved + excluded.improved,
         sum_delta = sum_delta + excluded.sum_delta,
         exemplar = CASE WHEN excluded.best_delta > best_delta THEN excluded.exemplar ELSE exemplar END,
         best_delta = max(best_delta, excluded.best_delta)`,
      this.#namespace,
      row.ops_signature,
      row.error_type,
      row.directive,
      row.n,
      row.improved,
      row.sum_delta,
      row.best_delta,
      row.exemplar,
    );
  }

  golds(): GoldRow[] {
    return decode(this.#rows('gold_solutions', 'fingerprint'), 'fact_features');
  }

  fragments(): FragmentRow[] {
    return decode(this.#rows('fragments', 'fragment_id, fingerprint'));
  }

  cases(): CaseRow[] {
    return decode(this.#rows('cases', 'ops_signature, error_type, directive'));
  }

  episodes(): EpisodeRow[] {
    return decode(this.#rows('episodes', 'run_key, task_id'), 'fact_features');
  }

  attempts(): MemoryAttempt[] {
    return decode(this.#rows('attempts', 'run_key, task_id, candidate_id'), 'feature_vec');
  }

  /** The attempts on each task, without vectors and programs. */
  tried(): Pick<MemoryAttempt, 'run_key' | 'task_id' | 'ops_signature' | 'verifier_score' | 'error_type'>[] {
    return this.#database.all(
      `SELECT run_key, task_id, ops_signature, verifier_score, error_type FROM attempts
       WHERE namespace = ? ORDER BY run_key, task_id, candidate_id`,
      this.#namespace,
    );
  }

  counts(): Record<MemoryTable, number> {
    return Object.fromEntries(memoryTables.map((table) => [table, this.#rows(table, '1').length])) as Record<
      MemoryTable,
      number
    >;
  }

  /** A hash of the namespace's content: with equal hashes, equal items are recalled. */
  digest(): string {
    const hash = createHash('sha256');
    for (const table of memoryTables) hash.update(JSON.stringify([table, this.#rows(table, '1, 2, 3, 4')]));
    return hash.digest('hex');
  }

  /** Deletes attempts of unsolved episodes, and blobs that no namespace refers to. */
  prune(): { attempts: number; blobs: number } {
    const before = this.counts().attempts;
    this.#database.run(
      `DELETE FROM attempts WHERE namespace = ?1 AND NOT EXISTS (
         SELECT 1 FROM episodes e WHERE e.namespace = ?1 AND e.run_key = attempts.run_key
           AND e.task_id = attempts.task_id AND e.solved = 1)`,
      this.#namespace,
    );
    const named = new Set(
      ['attempts', 'gold_solutions', 'fragments'].flatMap((table) =>
        this.#database
          .all<{ program: string }>(`SELECT DISTINCT program FROM ${table}`)
          .map(({ program }) => program),
      ),
    );
    const unnamed = readdirSync(this.#blobs).filter((name) => !named.has(path.basename(name, '.json')));
    for (const name of unnamed) rmSync(path.join(this.#blobs, name));
    return { attempts: before - this.counts().attempts, blobs: unnamed.length };
  }

  /** Writes a blob and returns its name. */
  keep(text: string): string {
    const name = sha256(text);
    const file = path.join(this.#blobs, `${name}.json`);
    if (!existsSync(file)) replaceFile(file, text);
    return name;
  }

  /** Undefined if the file is missing or does not match its hash. */
  blob(name: string): string | undefined {
    try {
      const text = readFileSync(path.join(this.#blobs, `${name}.json`), 'utf8');
      return sha256(text) === name ? text : undefined;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #rows(table: MemoryTable, order: string): Row[] {
    const rows = this.#database.all(
      `SELECT * FROM ${table} WHERE namespace = ? ORDER BY ${order}`,
      this.#namespace,
    );
    for (const row of rows) delete row['namespace'];
    return rows;
  }
}

/** Migrates the file to the newest schema. Existing migrations never change. */
function migrate(database: SqliteDatabase): void {
  database.execute('PRAGMA journal_mode = WAL');
  const files = readdirSync(migrationFolder).sort();
  database.transaction(() => {
    const [row] = database.all<{ user_version: number }>('PRAGMA user_version');
    const reached = row?.user_version ?? 0;
    for (const [index, name] of files.entries()) {
      if (index < reached) continue;
      database.execute(readFileSync(path.join(migrationFolder, name), 'utf8'));
      database.execute(`PRAGMA user_version = ${index + 1}`);
    }
  });
}
