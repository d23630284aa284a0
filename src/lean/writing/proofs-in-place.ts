import { existsSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { goalsOfFiles } from '../blueprint/file-goals.ts';
import type { RunProofs } from './run-proofs.ts';
import type { GoalsRead, LeanGoal } from '../goals/goal.ts';
import { filesBelow } from '../project/order.ts';
import { byFile, fillFile, saidBy, writeFilled, type FilledFile } from './writer.ts';
import type { Proved } from '../goals/goal.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { RunningGoals } from './run-proofs.ts';
import type { FileLean } from './writer.ts';
import { plural } from '../../shared/plural.ts';

/** A file with goals of the run. */
interface OpenFile {
  /** Its text when its goals were read. */
  text: string;
  readonly goals: LeanGoal[];
}

interface Names {
  readonly named: (goal: LeanGoal) => LeanGoal;
  readonly shown: (file: string) => string;
}

const same = <Value>(value: Value): Value => value;

/**
 * Writes proofs into their files during a run, in import order:
 *
 *     waiting ──all files below are settled──▶ open ──its goals are closed──▶ proofs in place, judged, written ──▶ settled
 *                                               ▲                  │                        │
 *                                               └── planned again ◀─┴────────────────────────┘
 *                                 the file was changed; or a proof depends on one that was just written
 *
 * So a goal may depend on a theorem that was just proved above it, in its file or in one that it imports; the
 * gate would refuse that as long as the theorem contains a `sorry`.
 */
export class ProofsInPlace {
  readonly #waiting = new Map<string, OpenFile>();
  readonly #open = new Map<string, OpenFile>();
  readonly #written: FilledFile[] = [];
  #below = new Map<string, Set<string>>();
  #again = 0;
  readonly #named: (goal: LeanGoal) => LeanGoal;
  readonly #shown: (file: string) => string;
  /** Names of goals whose proofs were written or refused. */
  readonly #dealtWith = new Set<string>();
  /** Proved statements that could not be written yet; a later round may succeed. */
  readonly #outside = new Set<string>();

  readonly #withGiven: boolean;

  /** Display names of files, and of goals that were planned again; whether proofs from open theorems are written too. */
  constructor({
    named = same,
    shown = same,
    withGiven = false,
  }: Partial<Names & { withGiven: boolean }> = {}) {
    this.#withGiven = withGiven;
    this.#named = named;
    this.#shown = shown;
  }

  /** Selects the goals that can be worked on now. */
  first({ goals, unreadable, warnings }: GoalsRead): GoalsRead {
    for (const [file, some] of Map.groupBy(goals, ({ place }) => place?.file))
      if (file !== undefined) this.#waiting.set(file, { text: readTextFile(file), goals: some });
    this.#below = filesBelow(this.#waiting.keys());
    const rows = goals.filter(({ place }) => place === undefined);
    return { goals: [...rows, ...this.#openNext()], unreadable, warnings };
  }

  /** Called when all goals of the open files are closed. */
  readonly more = async (
    engine: RunningGoals,
    lean: FileLean,
    { proved, given = [], waiting }: RunProofs,
    isOver: boolean,
  ): Promise<boolean> => {
    const proofs = byFile(this.#withGiven ? [...proved, ...given] : proved);
    const again: LeanGoal[] = [];
    for (const [file, open] of this.#open) {
      if (!existsSync(file)) {
        this.#open.delete(file);
        engine.note('warning', `${this.#shown(file)} no longer exists`);
        continue;
      }
      const changed = isOver ? [] : await this.#plannedAnew(file, open, lean);
      if (changed.length > 0)
        engine.note('info', `${this.#shown(file)} has changed: its goals are planned again`);
      again.push(...changed);
      if (changed.length > 0) continue;
      this.#open.delete(file);
      const isWritten = await this.#place(file, proofs.get(file) ?? [], engine, lean);
      if (isWritten && !isOver) again.push(...(await this.#openAgain(file, open, waiting, lean)));
    }
    const left = isOver ? [...this.#waiting.values()].flatMap(({ goals }) => goals) : this.#openNext();
    for (const goal of [...again, ...left]) add(goal, engine);
    return again.length + left.length > 0;
  };

  /** Whether every proof was written. */
  get isAllPlaced(): boolean {
    return this.#outside.size === 0;
  }

  /** Number of goals tried again after a proof below them was written. */
  get again(): number {
    return this.#again;
  }

  get patch(): string {
    return this.#written.map(({ patch }) => patch).join('');
  }

  /** Opens the files whose imports are all settled; returns their goals. */
  #openNext(): LeanGoal[] {
    const isSettled = (file: string): boolean => !this.#waiting.has(file) && !this.#open.has(file);
    const next = [...this.#waiting].filter(([file]) => [...(this.#below.get(file) ?? [])].every(isSettled));
    for (const [file, open] of next) {
      this.#waiting.delete(file);
      this.#open.set(file, open);
    }
    return next.flatMap(([, { goals }]) => goals);
  }

  /** Goals of a changed file that were not open before. */
  async #plannedAnew(file: string, open: OpenFile, lean: FileLean): Promise<LeanGoal[]> {
    const text = readTextFile(file);
    if (text === open.text) return [];
    lean.pool.environments.forget();
    const known = new Set(open.goals.map(saidBy));
    const { goals } = await goalsOrNone(file, lean);
    const fresh = goals.filter((goal) => !known.has(saidBy(goal))).map(this.#named);
    open.text = text;
    open.goals.push(...fresh);
    return fresh;
  }

  /** Goals whose proof depended on a theorem of the same file that now has a proof. */
  async #openAgain(
    file: string,
    { goals }: OpenFile,
    waiting: ReadonlySet<string>,
    lean: FileLean,
  ): Promise<LeanGoal[]> {
    const wanted = new Set(goals.filter(({ id }) => waiting.has(id)).map(({ statement }) => statement));
    if (wanted.size === 0) return [];
    const known = new Set(goals.map(saidBy));
    const left = await goalsOrNone(file, lean);
    const fresh = left.goals
      .filter((goal) => wanted.has(goal.statement) && !known.has(saidBy(goal)))
      .map((goal) => this.#named(goal));
    this.#again += fresh.length;
    if (fresh.length > 0) this.#open.set(file, { text: readTextFile(file), goals: [...goals, ...fresh] });
    return fresh;
  }

  /** Whether anything was written. */
  async #place(
    file: string,
    proofs: readonly Proved[],
    engine: RunningGoals,
    lean: FileLean,
  ): Promise<boolean> {
    const fresh = proofs.filter(({ goal: { id } }) => !this.#dealtWith.has(id));
    if (fresh.length === 0) return false;
    let filled = await fillFile(file, fresh, lean);
    while (filled.placed.length > 0 && !(await writeFilled(filled, lean)))
      filled = await fillFile(file, fresh, lean);
    const statements = new Map(fresh.map(({ goal }) => [goal.id, `${file}\n${goal.statement}`]));
    for (const id of statements.keys()) this.#dealtWith.add(id);
    for (const { id, why } of filled.refused) {
      this.#outside.add(statements.get(id) ?? id);
      engine.note('warning', `${id} was not written, because its proof fails in the whole file: ${why}`);
    }
    for (const id of filled.gone)
      engine.note('info', `${this.#shown(file)} has changed and no longer has this goal: ${id}`);
    for (const id of filled.placed) this.#outside.delete(statements.get(id) ?? id);
    const { length } = filled.placed;
    if (length === 0) return false;
    this.#written.push(filled);
    engine.note('info', `${this.#shown(file)}: ${plural(length, 'proof')} written`);
    for (const [name, assumed] of filled.given)
      engine.note(
        'info',
        `${name} is proved only if ${assumed.join(', ')} ${assumed.length === 1 ? 'holds' : 'hold'}`,
      );
    return true;
  }
}

/** A file that Lean cannot read now has no goals; a writer gets the reason. */
async function goalsOrNone(file: string, lean: FileLean): Promise<GoalsRead> {
  try {
    return await goalsOfFiles([file], lean);
  } catch (error) {
    if (error instanceof UserError) return { goals: [], unreadable: [] };
    throw error;
  }
}

/** A run uses each name once, so a changed goal gets a new name. */
function add(goal: LeanGoal, engine: RunningGoals): void {
  for (let version = 1; ; version++)
    if (engine.add(version === 1 ? goal : { ...goal, id: `${goal.id} (${version})` })) return;
}
