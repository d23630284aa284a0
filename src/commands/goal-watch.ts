import { watch } from 'chokidar';
import type { Lean, LeanEngine } from '../app.ts';
import { UserError } from '../core/errors.ts';
import { GoalNodes } from '../lean/blueprint/goal-nodes.ts';
import type { GoalsRead, LeanGoal } from '../lean/goals/goal.ts';
import { GoalNames } from '../lean/goals/names.ts';
import { readGoals } from '../lean/goals/read.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { borrow } from '../lean/goals/files.ts';

/** An editor writes a file in several steps; it is read when it has been quiet for so long. */
const quietMs = 300;

/** Files whose goals a run works on, and what changes in them while it does. */
export class GoalWatch {
  readonly files: readonly string[];
  /** The goals that each file has now: name → the name that this run knows it by. */
  readonly #goals = new Map<string, Map<string, string>>();
  readonly #texts = new Map<string, string>();
  readonly #names = new GoalNames();
  #versions = 0;

  /** Named files and folders, or everything below the working folder. */
  static open(named: readonly string[]): GoalWatch {
    return new GoalWatch(filesOf(named.length > 0 ? named : ['.']));
  }

  private constructor(files: readonly string[]) {
    this.files = files;
  }

  /** All goals of all files. A file that cannot be read now is a goal that cannot be worked on: it may be repaired. */
  async read(lean: Lean): Promise<GoalsRead> {
    const goals: LeanGoal[] = [];
    const unreadable: GoalsRead['unreadable'][number][] = [];
    for (const file of this.files) {
      const found = await this.#readFile(file, lean);
      if (typeof found === 'string') unreadable.push({ id: file, source: file, message: found });
      else {
        goals.push(...found.goals);
        unreadable.push(...found.unreadable);
        this.#remember(file, found.goals, (goal) => goal.id);
      }
    }
    return { goals, unreadable };
  }

  /** From now on what changes in the files changes in the engine. */
  async follow(engine: LeanEngine, lean: Lean): Promise<() => Promise<void>> {
    const watcher = watch([...this.files], {
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: quietMs, pollInterval: 50 },
    });
    let last = Promise.resolve();
    watcher.on('all', (_event, file) => {
      last = last.then(async () => await this.#changed(file, engine, lean));
    });
    return async () => {
      await watcher.close();
      await last;
    };
  }

  async #changed(file: string, engine: LeanEngine, lean: Lean): Promise<void> {
    // whoever imports it stands on something else now
    lean.pool.environments.forget();
    const before = this.#goals.get(file) ?? new Map<string, string>();
    const found = await this.#readFile(file, lean).catch((error: unknown) => String(error));
    if (typeof found === 'string') {
      engine.note('warning', `${file}: ${found}`);
      return;
    }
    for (const name of before.values()) this.#withdrawIfGone(name, found, engine);
    this.#remember(file, found.goals, (goal) => this.#add(goal, before, engine));
    engine.note('info', `${file} changed: ${found.goals.length} goals`);
  }

  /** A goal that reads as before goes on; anything else is withdrawn. */
  #withdrawIfGone(name: string, { goals }: GoalsRead, engine: LeanEngine): void {
    if (!goals.some((goal) => textOf(goal) === this.#texts.get(name)))
      engine.withdraw(name, 'its file has changed');
  }

  #add(goal: LeanGoal, before: ReadonlyMap<string, string>, engine: LeanEngine): string {
    const known = before.get(goal.id);
    if (known !== undefined && this.#texts.get(known) === textOf(goal)) return known;
    // a run knows each name once: a goal that has changed comes back under another
    if (engine.add(goal)) return goal.id;
    const renamed = { ...goal, id: `${goal.id} (${++this.#versions + 1})` };
    engine.add(renamed);
    return renamed.id;
  }

  #remember(file: string, goals: readonly LeanGoal[], nameOf: (goal: LeanGoal) => string): void {
    const names = new Map<string, string>();
    for (const goal of goals) {
      const name = nameOf(goal);
      names.set(goal.id, name);
      this.#texts.set(name, textOf(goal));
    }
    this.#goals.set(file, names);
  }

  /** Why not, when the file cannot be read. */
  async #readFile(file: string, lean: Lean): Promise<GoalsRead | string> {
    try {
      const { goals, unreadable } = await readGoals(file, borrow(lean));
      const named = <Row extends { readonly id: string }>(row: Row): Row => ({
        ...row,
        id: this.#names.nameIn(file, row.id),
      });
      const nodes = new GoalNodes();
      return {
        goals: goals.map((goal) => named(nodes.known(file, goal))),
        unreadable: unreadable.map(named),
      };
    } catch (error) {
      if (error instanceof UserError) return error.message;
      throw error;
    }
  }
}

function textOf({ preamble, statement, holes }: LeanGoal): string {
  return JSON.stringify([preamble, statement, holes]);
}
