// Over 300 lines because it is the whole library API: one method per call, with its types.
import { ledgerOf } from './ledger.ts';
import { openLean, type Lean } from './lean.ts';
import { premiseSource } from './premises.ts';
import { settingsFrom } from './settings.ts';
import type { RunChoice } from './run.ts';
import type { SettingFlags } from '../config/load.ts';
import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import type { Verdict } from '../lean/gate/verdict.ts';
import {
  environmentIn,
  environmentOf,
  environmentOfFile,
  libraryOf,
  type LeanEnvironment,
} from '../lean/project/environment.ts';
import type { Claim, FileClaim, Question } from '../lean/gate/gate.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { goalsOfFiles } from '../lean/blueprint/file-goals.ts';
import { bareGoal, type GoalsRead, type LeanGoal } from '../lean/goals/goal.ts';
import { readGoalText } from '../lean/goals/read.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { askForPremises, declarationNamed, type FoundPremise } from '../lean/premises/ask.ts';
import type { PremiseSource } from '../lean/premises/source.ts';
import type { ImageName } from '../lean/toolchain/embedded/embedded.ts';
import { imageOf } from '../lean/project/image-choice.ts';
import { unsolved, type RunEvent, type GoalClosed } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { Session } from './session.ts';
import { tryTactics, type TacticsTried } from './tactics.ts';

export interface OpenOptions {
  /** A Lake project or a folder of Lean files; text inputs may import its modules. */
  readonly project?: string;
  /** Modules available to every text input, besides its own imports. */
  readonly imports?: readonly string[];
  /** Settings by their names, above orch.toml and the environment. */
  readonly settings?: SettingFlags;
  /** A worker above this resident size is replaced before its next request. */
  readonly recycleBytes?: number;
}

/** Limits of a call. */
export interface CallLimits {
  /** Wall-clock seconds, set-up excluded. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/**
 * The statements that a file should prove. A file is read with the imports and options of its own path; text
 * has only Lean's library unless its environment is named. Neither takes anything from the judged input.
 */
export type Reference =
  | string
  | { readonly file: string }
  | { readonly text: string; readonly environment: LeanEnvironment };

/** A file name, or text that is read as a file of the project. */
export type FileAsk = Pick<FileClaim, 'allowAxioms'> & { readonly against?: Reference } & (
    | { readonly file: string }
    | { readonly text: string }
  );

export interface TacticsAsk extends Question {
  /** Tactics to run first. */
  readonly after?: readonly string[];
}

export interface ProveLimits extends CallLimits {
  /** CPU-seconds per goal; default: the setting `goal_cpu`. */
  readonly goalCpu?: number;
  readonly seed?: number;
  /** Label of the run in the ledger. */
  readonly label?: string;
}

/** A question with the goal name used in its events. */
export type NamedQuestion = Question & { readonly id: string };

const defaultTimeout = 30;
const defaultSeed = 1;
/** Per tactic, with Lean's own default, as in an editor. */
const tacticHeartbeats = 200_000;

/** Lean with a gate, a search and a ledger. Set up once; workers start on the first call. */
export async function open(options: OpenOptions = {}): Promise<Orch> {
  return new Orch(options, settingsFrom(options.settings));
}

export class Orch {
  readonly settings: Settings;
  readonly #options: OpenOptions;
  /** One Lean per image: most inputs need only the smallest. */
  readonly #leans = new Map<ImageName, Promise<Lean>>();
  /** One index per Lean, opened on first use. */
  readonly #premises = new Map<Lean, PremiseSource>();
  #ledger: Promise<Ledger> | undefined;
  #closed = false;

  constructor(options: OpenOptions, settings: Settings) {
    this.#options = options;
    this.settings = settings;
  }

  /** The gate's verdict on a claim. */
  async check(claim: Claim, limits: CallLimits = {}): Promise<Verdict> {
    const environment = this.#environmentOf(claim);
    const { gate } = await this.leanFor(environment);
    return await gate.check({ ...claim, environment }, requestLimits(limits));
  }

  /** The gate's verdicts on the theorems of a file; with `against`, on every theorem that the reference states. */
  async checkFile(ask: FileAsk, limits: CallLimits = {}): Promise<Verdict[]> {
    const text = 'file' in ask ? readGoalText(ask.file) : ask.text;
    const environment = 'file' in ask ? environmentOfFile(ask.file, text) : this.environmentOf(text);
    const { against, allowAxioms } = ask;
    const reference = against === undefined ? undefined : referenceOf(against);
    const { gate } = await this.leanFor(environment, reference?.againstIn);
    const file = 'file' in ask ? ask.file : undefined;
    const claim = { text, file, environment, ...reference, ...(allowAxioms && { allowAxioms }) };
    return await gate.checkFile(claim, requestLimits(limits));
  }

  /** Runs each tactic separately, from the start of a proof or after the tactics in `after`: the goals it leaves, or Lean's error. */
  async tactics(
    { after = [], ...question }: TacticsAsk,
    tactics: readonly string[],
    limits: CallLimits = {},
  ): Promise<TacticsTried> {
    return await this.tacticsOn(this.#goalOf({ id: 'tactics', ...question }), after, tactics, limits);
  }

  /** The same for a goal that was read from a file. */
  async tacticsOn(
    goal: LeanGoal,
    after: readonly string[],
    tactics: readonly string[],
    { timeout = defaultTimeout, signal }: CallLimits = {},
  ): Promise<TacticsTried> {
    const { pool } = await this.leanFor(goal.environment ?? this.environmentOf(goal.preamble));
    return await tryTactics(pool, goal, {
      after,
      tactics,
      deadlineMs: timeout * 1000,
      heartbeats: tacticHeartbeats,
      cpuSeconds: timeout,
      signal,
    });
  }

  /** Search for a proof. A result marked solved has been accepted by the gate. */
  async prove(question: Question, limits: ProveLimits = {}): Promise<GoalClosed> {
    const id = 'goal';
    let cpuSeconds = 0;
    let reason = 'cancelled';
    for await (const event of this.run([{ id, ...question }], limits)) {
      if (event.type === 'goal-closed' && event.goal === id) return event;
      if (event.type !== 'run-finished') continue;
      cpuSeconds = event.lean_cpu_seconds;
      if (event.reason === 'timeout') reason = 'timeout';
    }
    return { ...unsolved, attempts: 0, goal: id, reason, cpu_seconds: cpuSeconds };
  }

  /** Theorems and definitions that a proof may need: for a statement, a goal of the ledger by its name, or words. */
  async premises(text: string, count = 12, onCost?: (cpuSeconds: number) => void): Promise<FoundPremise[]> {
    const environment = this.environmentOf('');
    const lean = await this.leanFor(environment);
    const ledger = await this.ledger();
    const source = await this.#premiseSourceOf(lean);
    const ask = { pool: lean.pool, source, views: ledger.views, environment, onCost };
    return await askForPremises(ask, text, count);
  }

  /** A theorem or definition of the library by its full name. */
  async declaration(
    name: string,
    onCost?: (cpuSeconds: number) => void,
  ): ReturnType<typeof declarationNamed> {
    const environment = this.environmentOf('');
    const lean = await this.leanFor(environment);
    const source = await this.#premiseSourceOf(lean);
    return await declarationNamed({ pool: lean.pool, source, environment, onCost }, name);
  }

  /** Names of the library's theorems and definitions that begin with one of these texts, shortest first. */
  async names(begins: readonly string[], limit: number): Promise<string[]> {
    const lean = await this.leanFor(this.environmentOf(''));
    const source = await this.#premiseSourceOf(lean);
    const { index } = await lean.pool.use(async (lease) => await source.open(lease), {
      environment: this.environmentOf(''),
    });
    const found = new Set(begins.flatMap((begin) => index.beginningWith(begin, limit)));
    return [...found]
      .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
      .slice(0, limit);
  }

  async #premiseSourceOf(lean: Lean): Promise<PremiseSource> {
    const source = this.#premises.get(lean) ?? premiseSource(this.settings, lean, await this.ledger());
    this.#premises.set(lean, source);
    return source;
  }

  /**
   * Work on goals and yield events: the `sorry`s of files, folders or patterns, rows of JSONL files, or questions. Leaving
   * the loop stops the run. Events are in the ledger before they are yielded.
   */
  async *run(
    goals: readonly string[] | readonly NamedQuestion[],
    limits: ProveLimits = {},
  ): AsyncGenerator<RunEvent, void, undefined> {
    const files = isPaths(goals) ? filesOf(goals) : [];
    const image = isPaths(goals)
      ? imageOfFiles(files)
      : imageOf(goals.flatMap((goal) => libraryOf(this.#environmentOf(goal))));
    const lean = await this.#lean(image);
    const read = isPaths(goals)
      ? await goalsOfFiles(files, lean)
      : { goals: goals.map((goal) => this.#goalOf(goal)), unreadable: [] };
    const sources = isPaths(goals) ? files : ['library'];
    yield* this.runGoals(lean, read, { ...choiceOf(limits), sources }, limits);
  }

  /** Work on goals that have already been read. */
  async *runGoals(
    lean: Lean,
    read: GoalsRead,
    choice: RunChoice,
    { goalCpu, signal }: ProveLimits,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const ledger = await this.ledger();
    const settings = goalCpu === undefined ? this.settings : { ...this.settings, goal_cpu: goalCpu };
    await using session = new Session({ settings, lean, ledger });
    yield* session.events(read, choice, signal);
  }

  /** Ends every child process and closes the ledger. */
  async close(): Promise<void> {
    this.#closed = true;
    const leans = await Promise.allSettled(this.#leans.values());
    for (const lean of leans) if (lean.status === 'fulfilled') await lean.value[Symbol.asyncDispose]();
    // an index under construction ends with its Lean
    for (const source of this.#premises.values()) await source[Symbol.asyncDispose]();
    await (await this.#ledger?.catch(() => undefined))?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The ledger that the settings name; created on first use. */
  async ledger(): Promise<Ledger> {
    this.#refuseClosed();
    const ledger = (this.#ledger ??= ledgerOf(this.settings));
    try {
      return await ledger;
    } catch (error) {
      this.#ledger = undefined;
      throw error;
    }
  }

  /** Files of the project may have changed: later calls read them again. */
  async refresh(): Promise<void> {
    const leans = await Promise.allSettled(this.#leans.values());
    for (const lean of leans) if (lean.status === 'fulfilled') lean.value.pool.environments.forget();
  }

  /** The environment of a text that is not a file. */
  environmentOf(text: string): LeanEnvironment {
    return environmentIn(this.#options.project, this.#options.imports ?? [], text);
  }

  /** Workers and gate for texts with these environments. */
  async leanFor(...environments: readonly (LeanEnvironment | undefined)[]): Promise<Lean> {
    const all = environments.filter((environment) => environment !== undefined);
    return await this.#lean(imageOf(all.flatMap(libraryOf)));
  }

  async #lean(image: ImageName): Promise<Lean> {
    this.#refuseClosed();
    const known =
      this.#leans.get(image) ?? openLean(this.settings, { image, recycleBytes: this.#options.recycleBytes });
    this.#leans.set(image, known);
    try {
      return await known;
    } catch (error) {
      this.#leans.delete(image);
      throw error;
    }
  }

  #environmentOf({ environment, preamble = '' }: Question): LeanEnvironment {
    return environment ?? this.environmentOf(preamble);
  }

  #goalOf(question: NamedQuestion): LeanGoal {
    const { id, statement, preamble = '', allowAxioms = [] } = question;
    return {
      ...bareGoal,
      id,
      preamble,
      environment: this.#environmentOf(question),
      statement,
      allowAxioms,
    };
  }

  #refuseClosed(): void {
    if (this.#closed) throw new UserError('closed', 'this orch was closed', 'open() makes a new one.');
  }
}

function referenceOf(against: Reference): { against: string; againstIn: LeanEnvironment } {
  if (typeof against === 'string') return { against, againstIn: environmentOf(against) };
  if ('text' in against) return { against: against.text, againstIn: against.environment };
  const text = readGoalText(against.file);
  return { against: text, againstIn: environmentOfFile(against.file, text) };
}

function isPaths(goals: readonly string[] | readonly NamedQuestion[]): goals is readonly string[] {
  return goals.every((goal) => typeof goal === 'string');
}

function requestLimits({ timeout = defaultTimeout, signal }: CallLimits): {
  deadlineMs: number;
  signal?: AbortSignal;
} {
  return { deadlineMs: timeout * 1000, ...(signal && { signal }) };
}

function choiceOf({ timeout, seed = defaultSeed, label }: ProveLimits): Omit<RunChoice, 'sources'> {
  return { command: 'library', label, seed, timeout: timeout ?? null };
}
