import { rm } from 'node:fs/promises';
import type { Clock } from '../../core/clock.ts';
import type { Importing, Toolchain } from '../toolchain/toolchain.ts';
import { markBuild, openBuildFolder } from './build-folder.ts';
import { compileModule, CompileFailed, MisreadHeader, type CompilerFor } from './compile.ts';
import type { GraphModule, Headers, ModuleGraph } from './graph.ts';
import type { Header } from '../base/header.ts';
import { hashesOf, ModuleStore, type ModuleRecord } from './store.ts';

/** The inputs of a build. */
export interface Builder {
  readonly cacheFolder: string;
  readonly compilerFor: CompilerFor;
  /** A Lean whose workers import modules from a folder, or from its library alone. */
  readonly importerFor: (modules: string | undefined, importing: Importing) => Promise<Toolchain>;
  /** Identifies the Lean that compiles. */
  readonly toolchain: string;
  /** Also try projects written for another version. */
  readonly anyVersion: boolean;
  /** Maximum size of the cache folder. */
  readonly maxBytes: number;
  /** Number of modules that are compiled at the same time. */
  readonly slots: number;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
}

export interface BuildProgress {
  readonly module: string;
  readonly done: number;
  readonly total: number;
  /** Estimated seconds left; undefined before the first module is done. */
  readonly secondsLeft: number | undefined;
}

interface BuiltModule extends ModuleRecord {
  readonly hash: string;
  /** It was compiled before. */
  readonly cached: boolean;
}

/** Why a module is missing: an error in its file, or a missing import. */
interface FailedModule {
  readonly file: string;
  /** FILE:LINE:COLUMN: message, one per line. */
  readonly errors: readonly string[];
  /** Set if the module itself was not compiled. */
  readonly because?: string;
}

export interface Build {
  readonly modules: ReadonlyMap<string, BuiltModule>;
  readonly failed: ReadonlyMap<string, FailedModule>;
  /** The folder that contains links to the built modules. */
  readonly folder: string;
}

/**
 * Compile what is not compiled yet, in the order of the imports, several at a time. Results are kept, so a stopped build can continue. A failing module only affects its importers. If Lean parses a header differently than we did, the graph is rebuilt with Lean's imports.
 */
export async function build(
  graphWith: (headers: Headers) => ModuleGraph,
  builder: Builder,
): Promise<Build & { readonly graph: ModuleGraph }> {
  const headers = new Map<string, Header>();
  for (;;) {
    const graph = graphWith(headers);
    const run = new BuildRun(graph, builder);
    const built = await run.finish();
    // if the caller returns the same graph again, only correctly parsed modules are built
    if ([...run.misread.keys()].every((text) => headers.has(text))) return { ...built, graph };
    for (const [text, header] of run.misread) headers.set(text, header);
  }
}

class BuildRun {
  readonly #graph: ModuleGraph;
  readonly #builder: Builder;
  readonly #store: ModuleStore;
  readonly #hashes: Map<string, string>;
  readonly #modules = new Map<string, BuiltModule>();
  readonly #failed = new Map<string, FailedModule>();
  /** Headers that Lean parses differently than we do, by module text. */
  readonly misread = new Map<string, Header>();
  #missing: GraphModule[] = [];
  #done = 0;

  constructor(graph: ModuleGraph, builder: Builder) {
    this.#graph = graph;
    this.#builder = builder;
    this.#store = new ModuleStore(builder.cacheFolder);
    this.#hashes = hashesOf(graph, builder.toolchain);
  }

  async finish(): Promise<Build> {
    for (const module of this.#graph.order) {
      const { name } = module;
      const record = await this.#store.find(name, this.#hashOf(name));
      if (record) this.#modules.set(name, { ...record, hash: this.#hashOf(name), cached: true });
      else this.#missing.push(module);
    }
    if (this.#missing.length > 0) await this.#compileMissing();
    const built = new Map([...this.#modules].map(([name, { hash }]) => [name, hash]));
    const folder = await this.#store.view(built);
    const { maxBytes, clock } = this.#builder;
    if (this.#missing.length > 0) await this.#store.trim(maxBytes, clock.date().getTime());
    return { modules: this.#modules, failed: this.#failed, folder };
  }

  async #compileMissing(): Promise<void> {
    const { cacheFolder, slots, clock } = this.#builder;
    const folder = await openBuildFolder(cacheFolder, clock.date().getTime());
    const total = this.#missing.length;
    const startedAt = clock.now();
    try {
      for (const [name, { hash }] of this.#modules) await this.#store.show(name, hash, folder);
      const waiting = new Set(this.#missing);
      const running = new Set<Promise<void>>();
      while (waiting.size > 0 || running.size > 0) {
        this.#builder.signal?.throwIfAborted();
        const next = running.size < slots ? [...waiting].find((module) => this.#isReady(module)) : undefined;
        if (!next) {
          await Promise.race(running);
          continue;
        }
        waiting.delete(next);
        await markBuild(folder);
        const seconds = (clock.now() - startedAt) / 1000;
        this.#builder.onProgress?.({
          module: next.name,
          done: this.#done,
          total,
          secondsLeft: this.#done === 0 ? undefined : (seconds / this.#done) * (total - this.#done),
        });
        const work = this.#compile(next, folder).finally(() => {
          this.#done++;
          running.delete(work);
        });
        running.add(work);
      }
      this.#builder.onProgress?.({ module: '', done: total, total, secondsLeft: 0 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** All its imports are decided. */
  #isReady({ imports }: GraphModule): boolean {
    return imports.every(
      (name) => this.#modules.has(name) || this.#failed.has(name) || !this.#hashes.has(name),
    );
  }

  async #compile(module: GraphModule, folder: string): Promise<void> {
    const { name, file } = module;
    const { compilerFor, clock, signal } = this.#builder;
    const below = module.imports.find((imported) => !this.#modules.has(imported));
    if (below !== undefined) {
      const errors = [`${file}: not compiled: ${this.#whyMissing(below)}`];
      this.#failed.set(name, { file, errors, because: below });
      return;
    }
    if (module.missing.length > 0) {
      this.#failed.set(name, { file, errors: module.missing.map((missing) => unknownModule(file, missing)) });
      return;
    }
    try {
      const hash = this.#hashOf(name);
      const record = await this.#store.add(
        name,
        hash,
        async (output) => await compileModule(module, await compilerFor(folder, output), clock, signal),
      );
      await this.#store.show(name, hash, folder);
      this.#modules.set(name, { ...record, hash, cached: false });
    } catch (error) {
      if (error instanceof MisreadHeader) {
        this.misread.set(module.text, error.header);
        this.#failed.set(name, { file, errors: [`${file}: ${error.message}`] });
        return;
      }
      if (!(error instanceof CompileFailed)) throw error;
      this.#failed.set(name, { file, errors: errorsOf(file, error) });
    }
  }

  #whyMissing(module: string): string {
    return this.#graph.cycle?.includes(module) === true
      ? `these modules import each other: ${this.#graph.cycle.join(' → ')}`
      : `it imports ${module}, which does not compile`;
  }

  #hashOf(name: string): string {
    return this.#hashes.get(name) ?? '';
  }
}

function errorsOf(file: string, { failure }: CompileFailed): string[] {
  const said = failure.messages.filter(({ severity }) => severity === 'error');
  if (said.length === 0) return [`${file}: ${failure.kind}: ${failure.message}`];
  return said.map(({ start: [line, column], text }) => `${file}:${line}:${column + 1}: ${text}`);
}

function unknownModule(file: string, module: string): string {
  return `${file}: there is no module ${module}: neither this project nor a package in .lake/packages has such a file`;
}
