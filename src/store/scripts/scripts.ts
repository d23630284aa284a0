import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../core/folders.ts';
import type { Clock } from '../../core/clock.ts';
import type { ArmRecord } from '../../shared/events.ts';
import { scriptId, type KnownScript, type NewScript, type ScriptCache } from './script-cache.ts';
import { connect, decode, type SqliteDatabase } from '../sqlite/database.ts';

/** `sql/` is next to `src/` in a clone and next to `dist/` in a tarball. */
const schemaFile = (name: string): string =>
  fileURLToPath(new URL(`../../../sql/scripts/${name}.sql`, import.meta.url));

/** A script is about 500 bytes: 10 MB at most. */
const maxScripts = 20_000;
/** Maximum number of scripts that a run looks through: the least recently used ones are skipped. */
const maxUsable = 5000;
const maxArms = 5000;

/**
 * How likely it is that a script holds. A script from a bundle counts less until it is tried here: a bundle full of junk must not
 * displace what this machine has learned.
 */
const usefulness = `CAST(successes + (origin = 'here') AS REAL) / (uses + 2)`;
const dayMs = 86_400_000;

const columns = `id, shape, goal_hash AS goalHash, template, tokens, lean, mathlib, project, uses, successes, seconds,
  last_used AS lastUsed, origin`;

/** Removed are scripts of other Lean versions, those that mostly fail, and those unused for this long. */
export interface ScriptPruning {
  readonly lean: string;
  readonly days: number;
}

/** The cache of scripts as a SQLite file beside the ledger; it may be deleted at any time. */
export class ScriptStore implements ScriptCache, Disposable {
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;

  constructor(file: string, clock: Clock) {
    makeFolders(path.dirname(path.resolve(file)));
    this.#database = connect(file, false);
    this.#clock = clock;
    this.#database.execute('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    const [known] = this.#database.all("SELECT 1 AS there FROM sqlite_master WHERE name = 'scripts'");
    if (!known)
      this.#database.transaction(() =>
        this.#database.execute(readFileSync(schemaFile('0001_scripts'), 'utf8')),
      );
    this.#database.execute(readFileSync(schemaFile('0002_arms'), 'utf8'));
  }

  all(): KnownScript[] {
    return decode(this.#database.all(`SELECT ${columns} FROM scripts ORDER BY id`), 'tokens');
  }

  usable({ lean, mathlib }: Pick<KnownScript, 'lean' | 'mathlib'>): KnownScript[] {
    return decode(
      this.#database.all(
        `SELECT ${columns} FROM scripts WHERE lean = ? AND mathlib = ?
         ORDER BY ${usefulness} DESC, last_used DESC, id LIMIT ?`,
        lean,
        mathlib,
        maxUsable,
      ),
      'tokens',
    );
  }

  learn(script: NewScript): KnownScript {
    const known = { ...script, id: scriptId(script), uses: 1, successes: 1, origin: 'here' };
    const row = { ...known, lastUsed: this.#now() };
    this.#database.transaction(() => {
      this.#put(row);
      this.#forget();
    });
    return row;
  }

  used(id: string, held: boolean, seconds: number): void {
    this.#database.run(
      'UPDATE scripts SET uses = uses + 1, successes = successes + ?, seconds = seconds + ?, last_used = ? WHERE id = ?',
      Number(held),
      seconds,
      this.#now(),
      id,
    );
  }

  /** Imports scripts, all or none; existing ones keep their statistics. Returns the number of new ones. */
  add(scripts: readonly KnownScript[]): number {
    return this.#database.transaction(() => {
      const before = this.#count();
      for (const script of scripts) this.#put({ ...script, lastUsed: this.#now() }, true);
      this.#forget();
      return Math.max(0, this.#count() - before);
    });
  }

  /** Records of arms from bundles. */
  arms(): ArmRecord[] {
    return this.#database.all('SELECT arm, context, trials, mean FROM arms ORDER BY arm, context');
  }

  /** Newer records replace older ones. */
  addArms(records: readonly ArmRecord[]): void {
    this.#database.transaction(() => {
      for (const { arm, context, trials, mean } of records)
        this.#database.run(
          'INSERT OR REPLACE INTO arms (arm, context, trials, mean) VALUES (?, ?, ?, ?)',
          arm,
          context,
          trials,
          mean,
        );
      this.#database.run(
        'DELETE FROM arms WHERE (arm, context) IN (SELECT arm, context FROM arms ORDER BY trials, arm, context LIMIT max(0, (SELECT count(*) FROM arms) - ?))',
        maxArms,
      );
    });
  }

  prune({ lean, days }: ScriptPruning): number {
    return this.#database.transaction(() => {
      const before = this.#count();
      this.#database.run('DELETE FROM scripts WHERE lean <> ?', lean);
      this.#database.run('DELETE FROM scripts WHERE uses >= 8 AND successes * 10 < uses');
      this.#database.run('DELETE FROM scripts WHERE last_used < ?', this.#now() - days * dayMs);
      return before - this.#count();
    });
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #put(script: KnownScript, keepsOwn = false): void {
    const { id, shape, goalHash, template, tokens, lean, mathlib, project, origin } = script;
    const { uses, successes, seconds, lastUsed } = script;
    this.#database.run(
      `INSERT INTO scripts (id, shape, goal_hash, template, tokens, lean, mathlib, project, uses, successes, seconds, last_used,
         origin)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO ${
         keepsOwn
           ? 'NOTHING'
           : `UPDATE SET uses = uses + 1, successes = successes + 1, seconds = seconds + excluded.seconds,
                last_used = excluded.last_used, project = excluded.project`
       }`,
      id,
      shape,
      goalHash,
      template,
      JSON.stringify(tokens),
      lean,
      mathlib,
      project,
      uses,
      successes,
      seconds,
      lastUsed,
      origin,
    );
  }

  #forget(): void {
    const count = this.#count();
    if (count <= maxScripts) return;
    this.#database.run(
      `DELETE FROM scripts WHERE id IN (SELECT id FROM scripts ORDER BY ${usefulness}, last_used LIMIT ?)`,
      count - maxScripts * 0.9,
    );
  }

  #count(): number {
    return this.#database.all<{ count: number }>('SELECT count(*) AS count FROM scripts')[0]?.count ?? 0;
  }

  #now(): number {
    return this.#clock.date().getTime();
  }
}
