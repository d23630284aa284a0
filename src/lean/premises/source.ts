import type { Experience } from '../../store/ledger/experience.ts';
import type { Premise, PremiseIndex } from '../../store/premises/premise.ts';
import type { ProjectPremises } from '../../store/premises/shards.ts';
import type { Shelf } from '../../store/ledger/blob-store.ts';
import type { Lease } from '../workers/lease.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import type { WorkAccount } from '../workbench/account.ts';
import { LeaseMeter } from '../workbench/lease-meter.ts';
import type { Workbench } from '../workbench/workbench.ts';
import {
  cachedByMeaning,
  encoded,
  encoderVersion,
  libraryByMeaning,
  projectByMeaning,
} from './encoder/retriever.ts';
import { openLibrary, openProject } from './library.ts';
import { noCost, type Goal } from '../base/protocol.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { lastPart } from './declarations.ts';
import { queryFor, symbolsIn } from './query.ts';
import {
  fuse,
  nameRetriever,
  restricted,
  symbolRetriever,
  useRetriever,
  wordRetriever,
  type Library,
  type PremiseQuery,
  type Retrieved,
  type Retriever,
  type RetrieverSeat,
} from './retrieve.ts';
import { statementsOf } from './statements.ts';
import { searchRetrievers, suggestionRetriever } from './suggested.ts';
import { visibleFrom, type Visible } from './visible.ts';

interface SourceParts {
  /** Where indexes are kept. */
  readonly folder: string;
  readonly toolchain: Toolchain;
  readonly experience?:
    | Pick<Experience, 'premiseUses' | 'premiseRecord' | 'cachedPremises' | 'cachePremises'>
    | undefined;
  /** The shared store in which machines with a common ledger exchange extracted premises. */
  readonly shelf?: Shelf | undefined;
  /** Retrievers besides the built-in ones. */
  readonly seats?: readonly RetrieverSeat[] | undefined;
}

/** Number of proofs examined for the premises that they used. */
const maxUses = 2000;
const maxRemembered = 1024;
/** Number of cached goals examined for helpful premises, and of environments in which a goal is looked up. */
const maxCached = 2000;
const maxEnvironments = 16;
/**
 * Approximate cost of retrieval for a state, in seconds of the reference machine, because limits must not
 * depend on this machine's speed.
 */
const stateSeconds = 0.05;

/** Premises for goals, from the library's index and from the ledger. The index is opened on first use. */
export class PremiseSource {
  readonly #parts: SourceParts;
  readonly #found = new Map<string, { readonly limit: number; readonly premises: Promise<Premise[]> }>();
  #library: Promise<Library> | undefined;
  #seated: Promise<readonly Retriever[]> | undefined;
  #past: readonly Retriever[] | undefined;
  readonly #statements = new Map<string, string>();
  /** Project indexes, by the hash of the project's modules. */
  readonly #projects = new Map<string, Promise<ProjectPremises | undefined>>();
  /** Their retrievers. */
  readonly #projectRetrievers = new WeakMap<ProjectPremises, Promise<readonly Retriever[]>>();
  /** Partial libraries, by their modules. */
  readonly #visibleFrom = new Map<string, Promise<Visible | undefined>>();

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /**
   * An arm's access to premises: for the goal of a workbench, or for the open goals of one of its states. The
   * cost is charged to its account.
   */
  askedBy(
    workbench: Workbench,
    account: WorkAccount,
  ): (limit: number, open?: readonly Goal[]) => Promise<readonly Premise[]> {
    return async (limit, open) =>
      open
        ? await this.#forState(workbench, open, limit, account)
        : await this.forGoal(workbench, limit, account);
  }

  /** Statements of premises by name, for models and users. */
  async statements(
    workbench: Workbench,
    names: readonly string[],
    account: WorkAccount,
  ): Promise<ReadonlyMap<string, string>> {
    const keyOf = (name: string): string => `${workbench.closure} ${name}`;
    const missing = names.filter((name) => !this.#statements.has(keyOf(name)));
    if (missing.length > 0)
      await workbench.borrow(async (lease) => {
        const meter = new LeaseMeter(lease);
        for (const [name, statement] of await statementsOf(lease, missing))
          this.#statements.set(keyOf(name), statement);
        account.charge(meter.read());
      });
    return new Map(names.map((name) => [name, this.#statements.get(keyOf(name)) ?? '']));
  }

  /**
   * Lemmas for an open goal, best first; answers are cached. The cost is charged to the caller, including that
   * of building a missing index.
   */
  async forGoal(workbench: Workbench, limit: number, account: WorkAccount): Promise<Premise[]> {
    const { goalHash, symbols, goal } = workbench;
    const { statement } = goal;
    return await this.#once(goalHash, workbench, account, limit, async (lease) => {
      const cached = await this.#cached(workbench, lease, limit);
      if (cached) account.hitCache();
      if (cached) return cached;
      const loaded = await lease.session(goal.preamble);
      const opened = loaded.ok && { opened: { session: loaded.session, statement } };
      const query = {
        ...queryFor({ preamble: goal.preamble, statement, symbols, ...opened }),
        ...partOf(goal),
      };
      const found = await this.#lemmas(lease, query, limit);
      const premises = found.map(({ name }) => name);
      const { fingerprint } = workbench;
      const row = { goalHash, fingerprint, ...encoded(query), premises, helped: [] };
      if (premises.length > 0) await this.#parts.experience?.cachePremises([row]);
      return found;
    });
  }

  /** Results of an earlier run, helpful ones first. */
  async #cached(
    { goalHash, fingerprint, goal }: Workbench,
    lease: Lease,
    limit: number,
  ): Promise<Premise[] | undefined> {
    const rows = await this.#parts.experience?.cachedPremises(maxEnvironments, goalHash);
    const row = rows?.find(
      (one) =>
        one.fingerprint === fingerprint && one.encoder === encoderVersion() && one.premises.length >= limit,
    );
    if (!row) return undefined;
    const names = [...new Set([...row.helped, ...row.premises])];
    return (await this.#theorems(lease, names, goal.environment?.only === true)).slice(0, limit);
  }

  /** The query for a printed state: its text, and the symbols of the statement that occur in it. */
  async #forState(
    workbench: Workbench,
    open: readonly Goal[],
    limit: number,
    account: WorkAccount,
  ): Promise<readonly Premise[]> {
    const [front] = open;
    if (!front) return [];
    const { goalHash, goal } = workbench;
    const text = statementOf(front);
    account.charge({ ...noCost, workSeconds: stateSeconds });
    return await this.#once(`${goalHash} ${text}`, workbench, account, limit, async (lease) => {
      const symbols = workbench.symbols.filter((symbol) => mentions(text, lastPart(symbol)));
      const query = { text, symbols: [...symbols, ...symbolsIn(text)], ...partOf(goal) };
      return await this.#lemmas(lease, query, limit);
    });
  }

  async #once(
    key: string,
    workbench: Workbench,
    account: WorkAccount,
    limit: number,
    find: (lease: Lease) => Promise<Premise[]>,
  ): Promise<Premise[]> {
    const known = this.#found.get(key);
    if (known && known.limit >= limit) return (await known.premises).slice(0, limit);
    // premises are only hints: without an index, the search continues with the facts of the preamble
    const premises = workbench.borrow(async (lease) => {
      const meter = new LeaseMeter(lease);
      const lemmas = await find(lease).catch((): Premise[] => []);
      account.charge(meter.read());
      return lemmas;
    });
    this.#found.delete(key);
    this.#found.set(key, { limit, premises });
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxRemembered && oldest !== undefined) this.#found.delete(oldest);
    return await premises;
  }

  async #lemmas(lease: Lease, query: PremiseQuery, limit: number): Promise<Premise[]> {
    const found = await this.retrieve(lease, query, 4 * limit);
    const names = found.map(({ name }) => name);
    return (await this.#theorems(lease, names, query.part !== undefined)).slice(0, limit);
  }

  /** The names that are theorems here, in the same order; a partial library has no project. */
  async #theorems(lease: Lease, names: readonly string[], isPart: boolean): Promise<Premise[]> {
    const { index } = await this.open(lease);
    const project = isPart ? undefined : await this.#project(lease);
    const known = [...index.find(names), ...(project?.find(names) ?? [])];
    const about = new Map(known.map((premise) => [premise.name, premise]));
    return names.flatMap((name) => about.get(name) ?? []).filter(({ kind }) => kind !== 'definition');
  }

  async retrieve(lease: Lease, asked: PremiseQuery, limit: number): Promise<Retrieved[]> {
    const { experience } = this.#parts;
    const library = await this.open(lease);
    const { index } = library;
    const seated = await this.#seatedOn(library);
    const project = asked.part ? undefined : await this.#project(lease);
    const visible = asked.part && (await this.#visible(library, asked.part));
    if (asked.part && !visible) return [];
    const query = visible ? { ...asked, modules: visible.modules } : asked;
    // the states of a search can use the modules that were read for its goal
    if (query.opened || !this.#past)
      this.#past = [
        useRetriever((await experience?.premiseUses(maxUses)) ?? []),
        cachedByMeaning((await experience?.cachedPremises(maxCached)) ?? []),
      ];
    const retrievers = [
      nameRetriever(index),
      symbolRetriever(index),
      wordRetriever(index),
      ...this.#past,
      ...(query.opened ? [await suggestionRetriever(lease, query.opened)] : []),
      ...(query.opened && query.searched
        ? await searchRetrievers(lease, query.opened, query.searched === 'term', theoremsIn(index))
        : []),
      ...(project ? await this.#searching(project) : []),
      ...seated,
    ].map((one) => (visible ? restricted(one, (name) => visible.names.has(name)) : one));
    const first = await fuse(retrievers, query, 4 * limit);
    const record = await experience?.premiseRecord(first.map(({ name }) => name));
    return await fuse(retrievers, query, limit, new Map(record?.map((row) => [row.name, row])));
  }

  /** Read once for each part of the library. */
  async #visible(library: Library, imports: readonly string[]): Promise<Visible | undefined> {
    const key = imports.join(' ');
    const known = this.#visibleFrom.get(key) ?? visibleFrom(library, this.#parts.toolchain, imports);
    this.#visibleFrom.set(key, known);
    return await known;
  }

  async open(lease: Lease): Promise<Library> {
    const { folder, toolchain, shelf } = this.#parts;
    try {
      return await (this.#library ??= openLibrary(folder, toolchain, lease, shelf));
    } catch (error) {
      this.#library = undefined;
      throw error;
    }
  }

  /**
   * Retrievers that need more than the index. Encoding the library takes a while, so a lookup by name does not
   * wait for it.
   */
  async #seatedOn(library: Library): Promise<readonly Retriever[]> {
    const seats = [libraryByMeaning, ...(this.#parts.seats ?? [])];
    this.#seated ??= Promise.all(seats.map(async (seat) => await seat(library))).then((found) =>
      found.filter((one) => one !== undefined),
    );
    try {
      return await this.#seated;
    } catch (error) {
      this.#seated = undefined;
      throw error;
    }
  }

  /** The project modules of a lease: read once per version, from stored shards where unchanged. */
  async #project(lease: Lease): Promise<ProjectPremises | undefined> {
    const { closure } = lease;
    const known = this.#projects.get(closure) ?? openProject(this.#parts.folder, lease);
    this.#projects.set(closure, known);
    return await known;
  }

  async #searching(project: ProjectPremises): Promise<readonly Retriever[]> {
    const known =
      this.#projectRetrievers.get(project) ??
      projectByMeaning(project).then((meaning) => [
        { ...nameRetriever(project), name: 'project name' },
        { ...symbolRetriever(project), name: 'project' },
        meaning,
      ]);
    this.#projectRetrievers.set(project, known);
    return await known;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const retriever of (await this.#seated?.catch(() => undefined)) ?? []) retriever.close?.();
    (await this.#library?.catch(() => undefined))?.index.close();
    for (const project of this.#projects.values()) (await project.catch(() => undefined))?.close();
  }
}

/** A goal that sees only a part of the library. */
function partOf({ environment }: LeanGoal): Pick<PremiseQuery, 'part'> {
  return environment?.only ? { part: environment.imports } : {};
}

/** Whether a name is a theorem. The index lacks second names of equal theorems, so other names with a dot count too. */
function theoremsIn(index: PremiseIndex): (name: string) => boolean {
  return (name) => {
    const [known] = index.find([name]);
    return known ? known.kind !== 'definition' : /^\p{Lu}.*\..*_/u.test(name);
  };
}

/** A state as a theorem would state it. */
function statementOf({ hypotheses, target }: Goal): string {
  return `example ${hypotheses.map(({ name, type }) => `(${name} : ${type})`).join(' ')} : ${target}`;
}

/** Whether a text contains a word, alone or after a dot. */
function mentions(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !/[\p{L}\p{N}_']/u.test(text.charAt(at + word.length));
}
