import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { UserError, codeOf, messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import { GoalNodes } from '../blueprint/goal-nodes.ts';
import { borrow } from '../goals/files.ts';
import type { GoalsRead, LeanGoal } from '../goals/goal.ts';
import { GoalNames } from '../goals/names.ts';
import { readGoals } from '../goals/read.ts';
import { filesOf, isPassedBy, refuseLinkOut } from '../goals/sources.ts';
import { filesBelow } from '../project/order.ts';
import type { RunningGoals } from './run-proofs.ts';
import { saidBy, type FileLean } from './writer.ts';
import { plural } from '../../shared/plural.ts';

/** An editor writes a file in several steps; it is read after this many quiet milliseconds. */
const quietMs = 300;

/**
 * Follows changes in the files whose goals a run works on:
 *
 *     new or changed ──▶ goals below the change are withdrawn at once; then Lean reads the file, and open goals are added
 *     deleted        ──▶ its goals are withdrawn
 *     either         ──▶ goals of the files that import it are withdrawn, read again and added
 */
export class GoalWatch {
  readonly #named: readonly string[];
  readonly #files: Set<string>;
  /** The current goals of each file, by their names in this run. */
  readonly #goals = new Map<string, Map<string, LeanGoal>>();
  readonly #texts = new Map<string, string>();
  readonly #names = new GoalNames();
  /** The imports of each file, when it was last read. */
  #below: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  #versions = 0;

  /** Named files and folders, or everything below the working folder. */
  static open(named: readonly string[]): GoalWatch {
    return new GoalWatch(named.length > 0 ? named : ['.']);
  }

  private constructor(named: readonly string[]) {
    this.#named = named;
    this.#files = new Set(filesOf(named));
  }

  get files(): readonly string[] {
    return [...this.#files];
  }

  /**
   * All goals of all files. An unreadable file becomes a goal that cannot be worked on, because it may be
   * repaired later.
   */
  async read(lean: FileLean): Promise<GoalsRead> {
    const goals: LeanGoal[] = [];
    const unreadable: GoalsRead['unreadable'][number][] = [];
    for (const file of this.#files) {
      const found = await this.#readFile(file, lean);
      if (!found.ok) unreadable.push({ id: file, source: file, message: found.error.message });
      else {
        goals.push(...found.value.goals);
        unreadable.push(...found.value.unreadable);
        this.#goals.set(file, new Map(found.value.goals.map((goal) => [goal.id, goal])));
      }
    }
    return { goals, unreadable };
  }

  /** From now on, changes of the files reach the engine. */
  async follow(engine: RunningGoals, lean: FileLean): Promise<() => Promise<void>> {
    this.#below = belowNow(this.files) ?? this.#below;
    const watcher = watch([...this.#named], {
      ignoreInitial: true,
      // a link in the folder may lead to the whole disk; one that the user named is followed
      followSymlinks: this.#named.some(isLink),
      ignored: (file, stats) => isPassedBy(file) || (stats?.isFile() === true && !isOurs(file)),
      awaitWriteFinish: { stabilityThreshold: quietMs, pollInterval: 50 },
    });
    let last = Promise.resolve();
    watcher.on('error', (error) => engine.note('warning', `cannot watch a file: ${messageOf(error)}`));
    watcher.on('all', (event, given) => {
      const file = path.normalize(given);
      if (file.endsWith('.tex')) engine.note('info', `${file}: goals read from now on have the new content`);
      if (!file.endsWith('.lean') || path.basename(file) === 'lakefile.lean') return;
      let above: readonly string[];
      try {
        refuseLinkOut(this.#named, file);
        above = this.#importersOf(file);
      } catch (error) {
        this.#withdrawAll(file, 'its file cannot be read', engine);
        engine.note('warning', `${file} is not read: ${messageOf(error)}`);
        return;
      }
      // running attempts on them are useless, so they end before Lean reads anything
      this.#withdrawStale(file, engine);
      for (const other of above) this.#withdrawAll(other, `${file}, which it imports, has changed`, engine);
      last = last
        .then(async () => await this.#changed(file, event === 'unlink', above, engine, lean))
        .catch((error: unknown) => engine.note('warning', `${file}: ${String(error)}`));
    });
    // until then the watcher treats existing files as unchanged
    await new Promise<void>((resolve) => void watcher.once('ready', () => resolve()));
    return async () => {
      await watcher.close();
      await last;
    };
  }

  async #changed(
    file: string,
    isGone: boolean,
    above: readonly string[],
    engine: RunningGoals,
    lean: FileLean,
  ): Promise<void> {
    lean.pool.environments.forget();
    if (isGone && !existsSync(file)) {
      this.#withdrawAll(file, 'its file was deleted', engine);
      this.#files.delete(file);
      this.#goals.delete(file);
      engine.note('info', `${file} was deleted`);
    } else {
      this.#files.add(file);
      await this.#readAgain(file, engine, lean);
    }
    for (const other of above) await this.#readAgain(other, engine, lean);
  }

  async #readAgain(file: string, engine: RunningGoals, lean: FileLean): Promise<void> {
    const found = await this.#readFile(file, lean).catch((error: unknown) =>
      failed({ kind: 'unreadable', message: String(error) }),
    );
    if (!found.ok) {
      engine.note('warning', `${file}: ${found.error.message}`);
      return;
    }
    const before = this.#goals.get(file) ?? new Map<string, LeanGoal>();
    const now = new Map<string, LeanGoal>();
    for (const goal of found.value.goals) {
      const known = [...before].find(([, old]) => saidBy(old) === saidBy(goal));
      if (known) now.set(known[0], goal);
      else now.set(this.#add(goal, engine), goal);
    }
    for (const name of before.keys()) if (!now.has(name)) engine.withdraw(name, 'its file has changed');
    this.#goals.set(file, now);
    engine.note('info', `${file} changed: ${plural(found.value.goals.length, 'goal')}`);
  }

  /** A run uses each name once, so a changed goal gets a new name. */
  #add(goal: LeanGoal, engine: RunningGoals): string {
    if (engine.add(goal)) return goal.id;
    const renamed = { ...goal, id: `${goal.id} (${++this.#versions + 1})` };
    engine.add(renamed);
    return renamed.id;
  }

  /** Goals of a file whose preceding text has changed, found without Lean. */
  #withdrawStale(file: string, engine: RunningGoals): void {
    const before = this.#texts.get(file);
    const now = textIn(file);
    const goals = this.#goals.get(file);
    for (const [name, { preamble }] of goals ?? []) {
      if (before?.startsWith(preamble) !== true || now.startsWith(preamble)) continue;
      engine.withdraw(name, 'its file has changed');
      goals?.delete(name);
    }
  }

  #withdrawAll(file: string, reason: string, engine: RunningGoals): void {
    for (const name of this.#goals.get(file)?.keys() ?? []) engine.withdraw(name, reason);
    this.#goals.set(file, new Map());
  }

  /** The files that import a file directly or indirectly, now or before it was deleted. */
  #importersOf(file: string): string[] {
    const before = this.#below;
    this.#below = belowNow([...this.#files, file]) ?? before;
    return this.files.filter(
      (other) =>
        other !== file && [before, this.#below].some((below) => below.get(other)?.has(file) === true),
    );
  }

  /** The reason, if the file cannot be read. */
  async #readFile(file: string, lean: FileLean): Promise<Result<GoalsRead>> {
    try {
      this.#texts.set(file, textIn(file));
      const { goals, unreadable } = await readGoals(file, borrow(lean));
      const named = <Row extends { readonly id: string }>(row: Row): Row => ({
        ...row,
        id: this.#names.nameIn(file, row.id),
      });
      const nodes = new GoalNodes();
      return success({
        goals: goals.map((goal) => named(nodes.known(file, goal))),
        unreadable: unreadable.map(named),
      });
    } catch (error) {
      if (error instanceof UserError) return failed({ kind: error.code, message: error.message });
      throw error;
    }
  }
}

/** Undefined if a file disappeared while it was examined; another event follows. */
function belowNow(files: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  try {
    return filesBelow(new Set(files.filter((file) => existsSync(file))));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // deleted in the meantime
  }
}

const isOurs = (file: string): boolean => file.endsWith('.lean') || file.endsWith('.tex');
