import { failed, success, type Failed, type Fault, type Result } from '../../core/result.ts';
import type { Failure } from '../base/protocol.ts';
import { conditionalKind } from '../../shared/assurance.ts';
import type { Verdict } from '../gate/verdict.ts';
import { writeWhole } from '../../io/whole-file.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Gate, JudgedFile } from '../gate/gate.ts';
import type { LeanGoal, Place } from '../goals/goal.ts';
import { readLeanText, type FileGoal, type FileRead } from '../goals/lean-file.ts';
import { sourceName } from '../base/names.ts';
import { SourceText } from '../base/source-text.ts';
import type { LeanPool } from '../workers/pool.ts';
import { withProofs } from './in-place.ts';
import { outsideDeclarations } from './outside.ts';
import { patchOf } from './patch.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Proved } from '../goals/goal.ts';
import { judgeMs } from '../goals/limits.ts';

/** A file with proofs in place of its `sorry`s, not yet written. */
export interface FilledFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Hash of the modules that it was judged with. */
  readonly closure: string;
  readonly patch: string;
  /** Names of goals. */
  readonly placed: readonly string[];
  readonly refused: readonly Refusal[];
  /** Names of goals that the file no longer has. */
  readonly gone: readonly string[];
  /** For each theorem that is proved only from open ones: these. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  /** The gate's verdict on the theorems of the file with these proofs. */
  readonly verdicts: readonly Verdict[];
}

interface Refusal {
  readonly id: string;
  readonly why: string;
  readonly restsOn: readonly string[];
}

/** A problem of a file with its proofs. */
interface Objection extends Fault {
  /** The unproved declarations that the theorem depends on, if that is the objection. */
  readonly restsOn: readonly string[];
}

/** The tools that read and judge the files of a project. */
export interface FileLean {
  readonly pool: LeanPool;
  readonly gate: Gate;
}

/** Proofs by the file that they belong to; those of rows belong to none. */
export function byFile(proved: readonly Proved[]): Map<string, Proved[]> {
  const placed = proved.filter(({ goal }) => goal.place !== undefined);
  return Map.groupBy(placed, ({ goal }) => goal.place?.file ?? '');
}

/**
 * Writes proofs into a file, which is judged as a whole: Lean reads it, no further declaration is broken, exactly the filled
 * `sorry`s are gone, the gate accepts every theorem without a remaining `sorry` against the old file, and all importers still
 * compile. A proof that prevents this is left out and reported. Goals are found by their statement, so other changes to the
 * file in the meantime are harmless.
 */
export async function fillFile(
  file: string,
  proved: readonly Proved[],
  lean: FileLean,
  { withImporters = true }: FillOptions = {},
): Promise<FilledFile> {
  return await new Filling(file, lean, withImporters).fill(proved);
}

interface FillOptions {
  /** False: the caller fills several files, and has what imports any of them compiled at the end. */
  readonly withImporters?: boolean;
}

/** A text that the gate has accepted for a file, and the modules it was judged with. */
type JudgedText = Pick<FilledFile, 'file' | 'before' | 'after' | 'closure'>;

/**
 * Writes atomically, and only if the file and the modules it imports are unchanged since it was judged; otherwise returns
 * false.
 */
export async function writeFilled(
  { file, before, after, closure }: JudgedText,
  { pool }: Pick<FileLean, 'pool'>,
): Promise<boolean> {
  const now = await pool.environments.closureNow(environmentOfFile(file, before));
  if (now !== closure || readTextFile(file) !== before) return false;
  writeWhole(file, after);
  pool.environments.forget();
  return true;
}

/**
 * Replaces a file by a text that the gate has accepted, if all importers still compile and the file is unchanged. Returns why
 * not, if so.
 */
export async function writeJudged(
  text: JudgedText,
  lean: Pick<FileLean, 'pool'>,
): Promise<string | undefined> {
  const [breaks] = await lean.pool.environments.brokenBy(new Map([[text.file, text.after]]));
  if (breaks !== undefined) return `it would break ${breaks}`;
  const isWritten = await writeFilled(text, lean);
  return isWritten ? undefined : 'it has changed meanwhile, or a module below it has';
}

type ProvedInPlace = Proved & { readonly goal: { readonly place: Place } };

class Filling {
  readonly #file: string;
  readonly #lean: FileLean;
  readonly #withImporters: boolean;
  readonly #source: SourceText;
  readonly #environment: LeanEnvironment;
  #closure = '';

  constructor(file: string, lean: FileLean, withImporters: boolean) {
    this.#file = file;
    this.#lean = lean;
    this.#withImporters = withImporters;
    this.#source = new SourceText(readTextFile(file));
    this.#environment = environmentOfFile(file, this.#source.raw);
  }

  async fill(proved: readonly Proved[]): Promise<FilledFile> {
    this.#closure = await this.#lean.pool.environments.closureOf(this.#environment);
    const read = await this.#read(this.#source.raw);
    if (!read.ok) return this.#filled([], proved.map(because(objection(read.error.message))), []);
    const before = read.value.goals;
    const proofs = proved.flatMap((one) => foundAgain(one, before) ?? []);
    const here = new Set(proofs.map(({ goal }) => goal.id));
    const gone = proved.flatMap(({ goal: { id } }) => (here.has(id) ? [] : [id]));
    const all = await this.#judge(proofs, before);
    if (all.ok) return this.#filled(proofs, [], gone, all.value);
    // one proof causes a problem: try each alone, then all that passed together
    const good: ProvedInPlace[] = [];
    const refused: Refusal[] = [];
    for (const one of proofs) {
      const alone = proofs.length === 1 ? all : await this.#judge([one], before);
      if (alone.ok) good.push(one);
      else refused.push(because(alone.error)(one));
    }
    const together = good.length === proofs.length ? all : await this.#judge(good, before);
    if (together.ok) return this.#filled(good, refused, gone, together.value);
    return this.#filled([], [...refused, ...good.map(because(together.error))], gone);
  }

  /** The gate's verdict on the file with these proofs, or an objection to it. */
  async #judge(
    proofs: readonly ProvedInPlace[],
    before: readonly FileGoal[],
  ): Promise<Result<readonly Verdict[], Objection>> {
    if (proofs.length === 0) return success([]);
    const text = this.#with(proofs);
    const read = await this.#read(text);
    if (!read.ok) return plain(read.error.message);
    const after = read.value.goals;
    const broken = after.find((found) => isBroken(found) && !before.some((old) => isSame(old, found)));
    if (broken && broken.goal === undefined) return plain(`${broken.source}: ${broken.message}`);
    const expected = count(before) - proofs.reduce((sum, { goal }) => sum + sorriesIn(goal, before), 0);
    if (count(after) !== expected)
      return plain(`${count(after)} sorrys would be left where ${expected} were expected`);
    // a theorem with a proof here is not assumed
    const given = new Set(proofs.flatMap((one) => one.given ?? []));
    const assume = [...given.difference(finishedBy(before, after))];
    const { verdicts, addsCode, declared } = await this.#judged(text, before, assume);
    const refused = objectionIn(verdicts, before, after);
    if (refused) return failed(refused);
    const isElsewhereTheSame =
      outsideDeclarations(new SourceText(text), declared.here) ===
      outsideDeclarations(this.#source, declared.there);
    if (!isElsewhereTheSame) return plain('it changes more of the file than the declaration that it proves');
    // such code could leave a macro or an instance behind and change the meaning of importing files
    if (addsCode) return plain('the proof runs its own code; insert it yourself if you trust it');
    if (!this.#withImporters) return success(verdicts);
    const [breaks] = await this.#lean.pool.environments.brokenBy(new Map([[this.#file, text]]));
    return breaks === undefined ? success(verdicts) : plain(`it would break ${breaks}`);
  }

  async #judged(text: string, before: readonly FileGoal[], assume: readonly string[]): Promise<JudgedFile> {
    const allowAxioms = before.flatMap(({ goal }) => goal?.allowAxioms ?? []);
    const environment = this.#environment;
    const reference = { against: this.#source.text, againstIn: environment };
    return await this.#lean.gate.judgeFile(
      {
        text: new SourceText(text).text,
        environment,
        ...reference,
        allowAxioms,
        assume,
        secondKernel: 'final',
      },
      { deadlineMs: judgeMs },
    );
  }

  async #read(text: string): Promise<Result<FileRead, Failure>> {
    const environment = this.#environment;
    return await this.#lean.pool.use(
      async (lease) => await readLeanText(lease, text, this.#file, environment),
      { environment },
    );
  }

  #with(proofs: readonly ProvedInPlace[]): string {
    return withProofs(
      this.#source.raw,
      proofs.map(({ goal, proof }) => ({ place: goal.place, proof })),
    );
  }

  #filled(
    proofs: readonly ProvedInPlace[],
    refused: readonly Refusal[],
    gone: readonly string[],
    verdicts: readonly Verdict[] = [],
  ): FilledFile {
    const after = this.#with(proofs);
    return {
      file: this.#file,
      before: this.#source.raw,
      after,
      closure: this.#closure,
      patch: patchOf(this.#file, this.#source.raw, after),
      placed: proofs.map(({ goal }) => goal.id),
      refused,
      gone,
      given: new Map(
        verdicts.flatMap(({ kind, name, assumes }) =>
          kind === conditionalKind && name !== undefined ? [[name, assumes] as const] : [],
        ),
      ),
      verdicts,
    };
  }
}

const because =
  ({ message, restsOn }: Objection) =>
  ({ goal: { id } }: Proved): Refusal => ({ id, why: message, restsOn });

const objection = (message: string, restsOn: readonly string[] = []): Objection => ({
  kind: 'refused',
  message,
  restsOn,
});

const plain = (message: string): Failed<Objection> => failed(objection(message));

/** Declarations without a remaining `sorry`. */
function finishedBy(before: readonly FileGoal[], after: readonly FileGoal[]): Set<string> {
  const open = new Set(after.map(({ declaration }) => declaration));
  return new Set(before.map(({ declaration }) => declaration)).difference(open);
}

/** A theorem without a remaining `sorry` that is not accepted, not even given open theorems above it. */
function objectionIn(
  verdicts: readonly Verdict[],
  before: readonly FileGoal[],
  after: readonly FileGoal[],
): Objection | undefined {
  const finished = finishedBy(before, after);
  const bad = verdicts.find(
    ({ verdict, kind, name }) =>
      verdict !== 'accepted' &&
      kind !== conditionalKind &&
      name !== undefined &&
      finished.has(sourceName(name)),
  );
  if (bad) return objection(`${bad.name}: ${bad.verdict}, ${bad.message}`, bad.assumes);
  // a file that the gate cannot read at all has no names
  const whole = verdicts.find(({ verdict, name }) => verdict !== 'accepted' && name === undefined);
  const isWholeFile = verdicts.every(({ name }) => name === undefined);
  return whole && isWholeFile ? objection(`the gate: ${whole.message}`) : undefined;
}

/** Finds a goal by its statement and context; among several in one declaration, by its old position. */
function foundAgain(proved: Proved, before: readonly FileGoal[]): ProvedInPlace | undefined {
  const { goal } = proved;
  const said = saidBy(goal);
  const same = before.flatMap((found) => (found.goal && saidBy(found.goal) === said ? [found.goal] : []));
  const { place } = same.find((one) => one.place && samePlace(one.place, goal.place)) ?? same[0] ?? {};
  return place && { ...proved, goal: { ...goal, place } };
}

/** Equal for goals with the same statement and context. */
export function saidBy({ preamble, statement, holes }: LeanGoal): string {
  return JSON.stringify([preamble, statement, holes]);
}

function isBroken(found: FileGoal): boolean {
  return found.goal === undefined && found.isBroken;
}

function isSame(one: FileGoal, two: FileGoal): boolean {
  return isBroken(one) && one.declaration === two.declaration && one.id === two.id;
}

function count(goals: readonly FileGoal[]): number {
  return goals.reduce((sum, { sorries }) => sum + sorries.length, 0);
}

/** A goal may represent several `sorry`s, so it is found by its position. */
function sorriesIn({ place }: LeanGoal, before: readonly FileGoal[]): number {
  const found = before.find(({ goal }) => goal?.place && samePlace(goal.place, place));
  return found?.sorries.length ?? 0;
}

function samePlace(one: Place, two: Place | undefined): boolean {
  return String([one.start, one.end]) === String([two?.start, two?.end]);
}
