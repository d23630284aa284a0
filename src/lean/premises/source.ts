import type { Experience } from '../../store/ledger/experience.ts';
import type { Premise, PremiseIndex } from '../../store/premises/premise.ts';
import type { Shelf } from '../../store/ledger/blob-store.ts';
import type { Lease } from '../workers/lease.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import type { WorkAccount } from '../workbench/account.ts';
import { LeaseMeter } from '../workbench/lease-meter.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { libraryByMeaning, projectByMeaning } from './encoder/retriever.ts';
import { openLibrary, openProject } from './library.ts';
import { queryFor } from './query.ts';
import {
  fuse,
  symbolRetriever,
  useRetriever,
  wordRetriever,
  type Library,
  type PremiseQuery,
  type Retrieved,
  type Retriever,
  type RetrieverSeat,
} from './retrieve.ts';
import { suggestionRetriever } from './suggested.ts';

interface SourceParts {
  /** Where indexes are kept. */
  readonly folder: string;
  readonly toolchain: Toolchain;
  readonly experience?: Pick<Experience, 'premiseUses' | 'premiseRecord'> | undefined;
  /** Where machines that share a ledger leave each other what they have read. */
  readonly shelf?: Shelf | undefined;
  /** Ways of looking beside the built-in ones. */
  readonly seats?: readonly RetrieverSeat[] | undefined;
}

interface Opened {
  readonly library: Library;
  readonly seated: readonly Retriever[];
}

/** Proofs that are looked at for what they used. */
const maxUses = 2000;
const maxRemembered = 256;

/** Premises for goals, from the library's index and from what the ledger has seen. The index is opened when it is first asked. */
export class PremiseSource {
  readonly #parts: SourceParts;
  readonly #found = new Map<string, Promise<Premise[]>>();
  #opened: Promise<Opened> | undefined;
  /** By what identifies its modules. */
  readonly #projects = new Map<string, Promise<PremiseIndex | undefined>>();

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /**
   * Lemmas for a goal that is open, best first; asked again for the same one, the answer is known. What the asking costs, the
   * index included where it is not there yet, is charged to the caller.
   */
  async forGoal(workbench: Workbench, limit: number, account: WorkAccount): Promise<Premise[]> {
    const { goalHash, symbols, goal } = workbench;
    // the index is of the whole library, and most of that is not there
    if (goal.environment?.only) return [];
    const known = this.#found.get(goalHash);
    if (known) return (await known).slice(0, limit);
    const { statement } = goal;
    // a hint, and only that: without an index the search continues with what the preamble offers
    const found = workbench.borrow(async (lease) => {
      const meter = new LeaseMeter(lease);
      const loaded = await lease.session(goal.preamble);
      const opened = loaded.ok && { opened: { session: loaded.session, statement } };
      const query = queryFor({ preamble: goal.preamble, statement, symbols, ...opened });
      const lemmas = await this.#lemmas(lease, query, limit).catch((): Premise[] => []);
      account.charge(meter.read());
      return lemmas;
    });
    this.#found.set(goalHash, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxRemembered && oldest !== undefined) this.#found.delete(oldest);
    return await found;
  }

  async #lemmas(lease: Lease, query: PremiseQuery, limit: number): Promise<Premise[]> {
    const { index } = await this.open(lease);
    const found = await this.retrieve(lease, query, 4 * limit);
    const names = found.map(({ name }) => name);
    const project = await this.#project(lease);
    const known = [...index.find(names), ...(project?.find(names) ?? [])];
    const about = new Map(known.map((premise) => [premise.name, premise]));
    return found
      .flatMap(({ name }) => about.get(name) ?? [])
      .filter(({ kind }) => kind !== 'definition')
      .slice(0, limit);
  }

  async retrieve(lease: Lease, query: PremiseQuery, limit: number): Promise<Retrieved[]> {
    const { experience } = this.#parts;
    const { library, seated } = await this.#open(lease);
    const { index } = library;
    const project = await this.#project(lease);
    const uses = (await experience?.premiseUses(maxUses)) ?? [];
    const retrievers = [
      symbolRetriever(index),
      wordRetriever(index),
      useRetriever(uses),
      ...(query.opened ? [await suggestionRetriever(lease, query.opened)] : []),
      ...(project ? [{ ...symbolRetriever(project), name: 'project' }, projectByMeaning(project)] : []),
      ...seated,
    ];
    const first = await fuse(retrievers, query, 4 * limit);
    const record = await experience?.premiseRecord(first.map(({ name }) => name));
    return await fuse(retrievers, query, limit, new Map(record?.map((row) => [row.name, row])));
  }

  async open(lease: Lease): Promise<Library> {
    return (await this.#open(lease)).library;
  }

  async #open(lease: Lease): Promise<Opened> {
    const opened = (this.#opened ??= this.#openAll(lease));
    try {
      return await opened;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  /** The modules under a lease: read once for each state of them, from shards where they did not change. */
  async #project(lease: Lease): Promise<PremiseIndex | undefined> {
    const { closure } = lease;
    const known = this.#projects.get(closure) ?? openProject(this.#parts.folder, lease);
    this.#projects.set(closure, known);
    return await known;
  }

  async #openAll(lease: Lease): Promise<Opened> {
    const { folder, toolchain, shelf, seats = [] } = this.#parts;
    const library = await openLibrary(folder, toolchain, lease, shelf);
    const seated = await Promise.all([libraryByMeaning, ...seats].map(async (seat) => await seat(library)));
    return { library, seated: seated.filter((one) => one !== undefined) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    opened?.library.index.close();
    for (const retriever of opened?.seated ?? []) retriever.close?.();
    for (const project of this.#projects.values()) (await project.catch(() => undefined))?.close();
  }
}
