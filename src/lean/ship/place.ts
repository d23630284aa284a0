import path from 'node:path';
import { failed, success, type Failed, type Result } from '../../core/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { sourceName } from '../base/names.ts';
import { graphOf } from '../project/graph.ts';
import { findProject } from '../project/project.ts';
import { fillFile, writeFilled, type FilledFile, type FileLean } from '../writing/writer.ts';
import type { Proved } from '../goals/goal.ts';
import { readGoalsIn, saysTheSame, type ProvedDeclaration } from './plan.ts';
import { readTextFile } from '../../io/text-file.ts';

/** A declaration whose proof was written into its file, and the declarations that had to be proved first. */
export interface Placed {
  readonly verdict: Verdict;
  /** The gate's verdict on every theorem of every file that was written. */
  readonly verdicts: readonly Verdict[];
  /** Other declarations whose proofs were needed, dependencies first. */
  readonly below: readonly string[];
}

/**
 * Writes proofs into work trees of the base, with the writer that judges whole files. If a theorem depends on others that the base still has as `sorry`, their proofs are included; these dependencies are remembered.
 */
export class Placer {
  readonly #lean: FileLean;
  readonly #others: ReadonlyMap<string, ProvedDeclaration>;
  readonly #below = new Map<string, readonly string[]>();

  constructor(lean: FileLean, others: ReadonlyMap<string, ProvedDeclaration>) {
    this.#lean = lean;
    this.#others = others;
  }

  async place(tree: string, declaration: ProvedDeclaration): Promise<Result<Placed>> {
    const { name } = declaration;
    const placing = new Placing(this.#lean, tree);
    const wanted = new Map([[name, declaration]]);
    const want = (names: readonly string[]): void => {
      for (const one of names.flatMap((known) => [...(this.#below.get(known) ?? []), known])) {
        const found = this.#others.get(one);
        if (found) wanted.set(one, found);
      }
    };
    want([name]);
    for (;;) {
      const open = [...wanted.values()].filter((one) => !placing.done.has(one.name));
      if (open.length === 0) break;
      const known = wanted.size;
      const tried = await placing.fill(open);
      want(tried.restsOn);
      if (!tried.isFurther && wanted.size === known) return no(tried.message);
    }
    const broken = await placing.broken();
    const verdict = placing.done.get(name);
    if (broken !== undefined || !verdict) return no(`it would break ${broken}`);
    const below = [...placing.done.keys()].filter((one) => one !== name);
    this.#below.set(name, below);
    return success({ verdict, verdicts: placing.verdicts, below });
  }
}

/** Proofs of whole declarations, by their names. */
type Proofs = ReadonlyMap<string, readonly Proved[]>;

/** The outcome of filling a file. */
interface Tried {
  /** Something new was proved. */
  readonly isFurther: boolean;
  readonly message: string;
  /** Dependencies to prove first. */
  readonly restsOn: readonly string[];
}

/** One work tree, file by file. */
class Placing {
  readonly done = new Map<string, Verdict>();
  readonly verdicts: Verdict[] = [];
  readonly #lean: FileLean;
  readonly #tree: string;
  /** Contents of files before they were written. */
  readonly #before = new Map<string, string>();
  /** The positions of files in the order of the imports. */
  readonly #order: readonly string[];

  constructor(lean: FileLean, tree: string) {
    this.#lean = lean;
    this.#tree = tree;
    const project = findProject(tree);
    this.#order = graphOf(project, project.own()).order.map(({ file }) => file);
  }

  /**
   * Fills the first file in import order that contains these declarations, as far as their proofs are accepted.
   */
  async fill(open: readonly ProvedDeclaration[]): Promise<Tried> {
    const places = open.map(({ file }) => path.join(this.#tree, file));
    const [file = ''] = places.toSorted((one, two) => this.#order.indexOf(one) - this.#order.indexOf(two));
    const here = open.filter((_, index) => places[index] === file);
    const proofs = await this.#proofsFor(file, here);
    if (!proofs.ok) return { isFurther: false, message: proofs.error.message, restsOn: [] };
    const all = await this.#filled(file, proofs.value);
    const [why = 'a sorry no longer exists'] = all.refused.map((one) => one.why);
    const message = `in ${path.relative(this.#tree, file)} it is not accepted: ${why}`;
    const restsOn = all.refused.flatMap((one) => one.restsOn);
    // a partly proved declaration is useless
    const placed = new Set(all.placed);
    const whole = new Map(
      [...proofs.value].filter(([, part]) => part.every(({ goal }) => placed.has(goal.id))),
    );
    if (whole.size === 0) return { isFurther: false, message, restsOn };
    const filled = whole.size === proofs.value.size ? all : await this.#filled(file, whole);
    return { isFurther: await this.#write(filled, whole), message, restsOn };
  }

  /** Importers that the written files break. */
  async broken(): Promise<string | undefined> {
    const after = new Map(Array.from(this.#before.keys(), (file) => [file, readTextFile(file)]));
    return (await this.#lean.pool.environments.brokenBy(after, this.#before))[0];
  }

  async #filled(file: string, proofs: Proofs): Promise<FilledFile> {
    return await fillFile(file, [...proofs.values()].flat(), this.#lean, { withImporters: false });
  }

  /** False if that failed. */
  async #write(filled: FilledFile, proofs: Proofs): Promise<boolean> {
    const { file, before, refused, verdicts } = filled;
    const finished = verdicts.filter(
      ({ name = '', verdict }) => proofs.has(sourceName(name)) && verdict === 'accepted',
    );
    if (refused.length > 0 || finished.length < proofs.size) return false;
    if (!(await writeFilled(filled, this.#lean))) return false;
    if (!this.#before.has(file)) this.#before.set(file, before);
    this.verdicts.push(...verdicts);
    for (const verdict of finished) this.done.set(sourceName(verdict.name ?? ''), verdict);
    return true;
  }

  async #proofsFor(file: string, here: readonly ProvedDeclaration[]): Promise<Result<Proofs>> {
    // the plan has read these files
    if (!this.#before.has(file))
      return success(
        new Map(
          here.map(({ name, holes }) => [name, holes.flatMap(({ goal, known }) => proofOf(goal, known))]),
        ),
      );
    const relative = path.relative(this.#tree, file);
    const read = await readGoalsIn(this.#lean.pool, this.#tree, relative);
    if (!read.ok) return read;
    const proofs = new Map<string, Proved[]>();
    for (const { name, holes } of here) {
      const open = read.value.filter(({ declaration }) => declaration === name);
      const found = open.flatMap(({ goal }) => {
        const hole = goal && holes.find((one) => saysTheSame(one.goal, goal));
        return hole ? proofOf(goal, hole.known) : [];
      });
      if (found.length < holes.length) return no(`${relative} no longer has this sorry`);
      proofs.set(name, found);
    }
    return success(proofs);
  }
}

const no = (message: string): Failed => failed({ kind: 'no-place', message });

const proofOf = (goal: LeanGoal, known: GoalDetail): Proved[] =>
  known.proofs.slice(-1).map(({ proof }) => ({ goal, proof }));
