import { createHash } from 'node:crypto';
import { environmentKey, type LeanEnvironment } from './environment.ts';
import { build, type Build, type Builder } from './project/build.ts';
import { closureOf, graphOf, type ModuleGraph } from './project/graph.ts';
import { isLibraryModule } from './project/names.ts';
import { sortedOptions } from './project/options.ts';
import { findProject, type SourceModule } from './project/project.ts';
import { failure, type Failure } from './protocol.ts';
import type { Toolchain } from './toolchain/toolchain.ts';

/** An environment that workers can be started for. */
export interface OpenEnvironment {
  readonly environment: LeanEnvironment;
  readonly key: string;
  readonly toolchain: Toolchain;
  /** Hash of everything that is imported from the project, texts and options, and of its manifest; empty without one. */
  readonly closure: string;
  /** Its modules can run code of their own: a worker that has imported them serves one lease. */
  readonly code: boolean;
}

/**
 * The map from environments to workers. Opening one compiles what it imports; where that cannot be had, the answer says
 * what to do, and nobody gets a worker that does not suit the text.
 */
export class Environments {
  readonly #base: Toolchain;
  readonly #builder: Builder | undefined;
  readonly #known = new Map<string, Promise<OpenEnvironment | Failure>>();

  /** Without a builder only what comes with Lean can be opened. */
  constructor(base: Toolchain, builder?: Builder) {
    this.#base = base;
    this.#builder = builder;
  }

  async open(environment: LeanEnvironment): Promise<OpenEnvironment | Failure> {
    const key = environmentKey(environment);
    const known = this.#known.get(key) ?? this.#begin(environment, key);
    this.#known.set(key, known);
    return await known;
  }

  /** Files have changed: what was opened is looked at again. */
  forget(): void {
    this.#known.clear();
  }

  async #begin(environment: LeanEnvironment, key: string): Promise<OpenEnvironment | Failure> {
    const { imports, options, project: folder } = environment;
    const own = imports.filter((name) => !isLibraryModule(name));
    const [first] = own;
    if (folder === null) {
      if (first !== undefined) return noSuchModule(first, 'the text belongs to no project');
      return { environment, key: '', toolchain: this.#base, closure: '', code: false };
    }
    const project = findProject(folder);
    const targets: SourceModule[] = [];
    for (const name of own) {
      const module = project.find(name);
      if (!module)
        return noSuchModule(name, `${folder} has no such file, nor has a package in its .lake/packages`);
      targets.push(module);
    }
    const graph = graphOf(project, targets);
    if (this.#base.withImports) return this.#native(environment, key, graph, project.manifest);
    if (!this.#builder) return failure('missing-import', 'this Lean cannot import the modules of a project');
    const wanted = wantedVersion(project.toolchain);
    if (wanted !== undefined && wanted !== this.#base.version && !this.#builder.anyVersion)
      return failure(
        'missing-import',
        `${folder} is written for Lean ${wanted}, and here is ${this.#base.version}: install that one (elan), or try with ORCH_LEAN=embedded`,
      );
    const built = await build(graph, this.#builder);
    const lacking = own.find((name) => !built.modules.has(name));
    if (lacking !== undefined) return notBuilt(lacking, built);
    const closure = [...closureOf(graph, own)].toSorted();
    return {
      environment,
      key,
      toolchain: await this.#builder.importerFor(built.folder, { imports, options }),
      closure: hash([
        closure.map((name) => built.modules.get(name)?.hash),
        sortedOptions(options),
        project.manifest,
      ]),
      code: closure.some((name) => built.modules.get(name)?.code !== false),
    };
  }

  /** A native Lean finds what Lake has built; nobody has looked at the code in it. */
  #native(
    environment: LeanEnvironment,
    key: string,
    graph: ModuleGraph,
    manifest: string,
  ): OpenEnvironment | Failure {
    const { imports } = environment;
    const toolchain = this.#base.withImports?.(['Init', ...imports]) ?? this.#base;
    const texts = graph.order.map(({ name, text, options }) => [name, text, sortedOptions(options)]);
    return { environment, key, toolchain, closure: hash([texts, manifest]), code: graph.order.length > 0 };
  }
}

/** `leanprover/lean4:v4.28.0` → 4.28.0 */
function wantedVersion(toolchain: string | undefined): string | undefined {
  return /:v?(\d+\.\d+\.\d+[\w.-]*)$/.exec(toolchain ?? '')?.[1];
}

function noSuchModule(module: string, why: string): Failure {
  return {
    ...failure('missing-import', `there is no module ${module}: ${why}`),
    missing: [module],
  };
}

function notBuilt(module: string, { failed }: Build): Failure {
  const culprit = [...failed].find(([, { because }]) => because === undefined);
  const [line = 'it does not compile'] = culprit?.[1].errors ?? failed.get(module)?.errors ?? [];
  return { ...failure('missing-import', `${module} is not there: ${line}`), missing: [module] };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
