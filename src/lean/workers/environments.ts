import { realpathSync } from 'node:fs';
import path from 'node:path';
import { differingFiles } from '../../config/trust.ts';
import { failed, success, type Failed, type Result } from '../../core/result.ts';
import { environmentKey, type LeanEnvironment } from '../project/environment.ts';
import { build, type Build, type Builder } from '../project/build.ts';
import type { CompiledModule } from '../project/declarations.ts';
import { lackingModules, nativeModules } from '../project/oleans.ts';
import { closureOf, graphOf, importersOf, type ModuleGraph, type Texts } from '../project/graph.ts';
import { fileOf, isLibraryModule } from '../base/module-names.ts';
import { arePlainOptions, sortedOptions } from '../base/options.ts';
import { findProject, type SourceModule } from '../project/project.ts';
import { copyBuild, homeOf } from '../project/work-trees.ts';
import { describeOther, versionHint, wantedVersion } from '../project/version.ts';
import { failure, type Failure } from '../base/protocol.ts';
import type { Toolchain } from '../toolchain/toolchain.ts';
import { sha256 } from '../../core/sha256.ts';

/** An environment that workers can be started for. */
export interface OpenEnvironment {
  readonly environment: LeanEnvironment;
  /** Workers with equal keys are interchangeable. */
  readonly key: string;
  readonly toolchain: Toolchain;
  /** Hash of everything imported from the project (text and options) and of its manifest; empty without a project. */
  readonly closure: string;
  /** Its modules or options can run code that is not visible in the text; its workers serve one lease each. */
  readonly code: boolean;
  /** Its project modules, as compiled. */
  readonly modules: readonly CompiledModule[];
}

/**
 * Maps environments to workers. Opening an environment compiles its imports. On failure the result says what to do,
 * and no worker with a different environment is lent instead.
 */
export class Environments {
  readonly #base: Toolchain;
  readonly #builder: Builder | undefined;
  readonly #known = new Map<string, Promise<Result<OpenEnvironment, Failure>>>();

  /** The native Lean in work trees of its project, by folder. */
  readonly #inTrees = new Map<string, Promise<Toolchain>>();
  readonly #mayBuild: boolean;

  /**
   * Without a builder, only Lean's own library can be opened. With `mayBuild`, Lake may compile modules that a native
   * Lean lacks.
   */
  constructor(base: Toolchain, builder?: Builder, mayBuild = false) {
    this.#base = base;
    this.#builder = builder;
    this.#mayBuild = mayBuild;
  }

  async open(environment: LeanEnvironment): Promise<Result<OpenEnvironment, Failure>> {
    const key = environmentKey(environment);
    const known = this.#known.get(key) ?? this.#begin(environment, key);
    this.#known.set(key, known);
    return await known;
  }

  /** Fingerprint of an environment's modules at the time it was opened. */
  async closureOf(environment: LeanEnvironment): Promise<string> {
    const opened = await this.open(environment);
    return opened.ok ? opened.value.closure : opened.error.message;
  }

  /** The same fingerprint for the current files. */
  async closureNow(environment: LeanEnvironment): Promise<string> {
    this.forget();
    return await this.closureOf(environment);
  }

  /** Call after files change, so that environments are read again. */
  forget(): void {
    this.#known.clear();
  }

  /**
   * Errors of project modules that stop compiling when files change: the modules themselves and their importers.
   * Modules that did not compile before (with the texts in `before`, or else on disk) are not reported. A native Lean
   * leaves builds to Lake.
   */
  async brokenBy(after: Texts, before: Texts = new Map()): Promise<readonly string[]> {
    const [first] = after.keys();
    if (!this.#builder || first === undefined) return [];
    const project = findProject(first);
    const changed = [...after.keys()].map((file) => project.moduleAt(file));
    const all = graphOf(project, [...project.own(), ...changed], after);
    const names = new Set(changed.map(({ name }) => name));
    const imported = new Set(all.order.flatMap(({ imports }) => imports));
    // compiling a plain file that no module imports repeats what the gate has checked
    const above = importersOf(all, names).filter(
      ({ name, header }) => !names.has(name) || imported.has(name) || header.isModule,
    );
    if (above.length === 0) return [];
    const now = await build((headers) => graphOf(project, above, after, headers), this.#builder);
    if (now.failed.size === 0) return [];
    const then = await build((headers) => graphOf(project, above, before, headers), this.#builder);
    return [...now.failed].flatMap(([name, { errors }]) => (then.failed.has(name) ? [] : errors));
  }

  async #begin(environment: LeanEnvironment, key: string): Promise<Result<OpenEnvironment, Failure>> {
    const { imports, options, project: folder } = environment;
    const own = imports.filter((name) => !isLibraryModule(name));
    const [first] = own;
    if (folder === null) {
      if (first !== undefined) return noSuchModule(first, 'the file belongs to no project');
      if (environment.only) return await this.#part(environment, key);
      return success({ environment, key: '', toolchain: this.#base, closure: '', code: false, modules: [] });
    }
    const project = findProject(folder);
    const targets: SourceModule[] = [];
    for (const name of own) {
      const module = project.find(name);
      if (!module)
        return noSuchModule(name, `not found in ${folder} or in the packages of its .lake/packages`);
      targets.push(module);
    }
    if (this.#base.withImports)
      return await this.#native(environment, key, graphOf(project, targets), project.manifest);
    if (!this.#builder) return lacks('this Lean cannot import the modules of a project');
    const wanted = wantedVersion(project);
    const { version } = this.#base;
    if (wanted !== undefined && wanted !== version && !this.#builder.anyVersion)
      return lacks(`${describeOther(folder, wanted, version)}. ${versionHint}`);
    const built = await build((headers) => graphOf(project, targets, undefined, headers), this.#builder);
    const { graph } = built;
    const lacking = own.find((name) => !built.modules.has(name));
    if (lacking !== undefined) return notBuilt(lacking, built);
    const below = [...closureOf(graph, own)].toSorted();
    const hashes = below.map((name) => built.modules.get(name)?.hash);
    const closure = hash([hashes, sortedOptions(options), project.manifest]);
    return success({
      environment,
      // workers with an old version of the modules must not be reused
      key: `${key} ${closure}`,
      toolchain: await this.#builder.importerFor(built.folder, { imports, options }),
      closure,
      code:
        !arePlainOptions(options) ||
        below.some((name) => {
          // code run by such an option during compilation may have changed the module
          const isPlain = arePlainOptions(graph.byName.get(name)?.options ?? {});
          return !isPlain || built.modules.get(name)?.code !== false;
        }),
      modules: below.flatMap((name) => {
        const file = graph.byName.get(name)?.file;
        return file === undefined ? [] : [{ file, ilean: path.join(built.folder, fileOf(name, '.ilean')) }];
      }),
    });
  }

  /** Opens a part of the library, in dedicated workers. */
  async #part(environment: LeanEnvironment, key: string): Promise<Result<OpenEnvironment, Failure>> {
    const { imports, options } = environment;
    const toolchain = this.#base.withImports
      ? this.#base.withImports(['Init', ...imports])
      : await this.#builder?.importerFor(undefined, { imports, options });
    if (!toolchain) return lacks('this Lean cannot import only a part of its library');
    return success({ environment, key, toolchain, closure: hash(key), code: false, modules: [] });
  }

  /** The native Lean for a project: its own, or the same one in a work tree that was made from it. */
  async #nativeIn(project: string | null): Promise<Result<Toolchain, Failure>> {
    const { folder } = this.#base;
    if (folder === undefined || project === null || isIn(folder, project)) return success(this.#base);
    const home = homeOf(project);
    if (home === undefined || !isIn(folder, home) || !this.#base.inWorkTree)
      return inseparable(`this Lean only finds modules of ${folder}, and the file belongs to ${project}`);
    const files = differingFiles('lake', home, project);
    if (files.length > 0)
      return inseparable(
        `${files.join(' and ')} at this commit and in ${home} are not the same, so its Lean cannot be used: check out that commit there first`,
      );
    const known = this.#inTrees.get(project) ?? this.#openTree(home, project);
    this.#inTrees.set(project, known);
    return success(await known);
  }

  async #openTree(home: string, project: string): Promise<Toolchain> {
    await copyBuild(home, project);
    return (await this.#base.inWorkTree?.(project)) ?? this.#base;
  }

  /** A native Lean loads what Lake built; the code in those modules is not inspected. */
  async #native(
    environment: LeanEnvironment,
    key: string,
    graph: ModuleGraph,
    manifest: string,
  ): Promise<Result<OpenEnvironment, Failure>> {
    const { imports, options, project } = environment;
    const found = graph.order.length === 0 ? success(this.#base) : await this.#nativeIn(project);
    if (!found.ok) return found;
    const base = found.value;
    const lacking = base.lakeBuild ? lackingModules(graph) : [];
    const [first] = lacking;
    if (first) {
      const missing = lacking.map(({ name }) => name);
      const wanted = imports.filter((name) => graph.byName.has(name));
      const hint = `lake build ${wanted.join(' ')}, or --build`;
      const why = this.#mayBuild || base !== this.#base ? await base.lakeBuild?.(wanted) : hint;
      if (why !== undefined) return lacks(`${first.name} ${first.why}: ${why}`, missing);
    }
    const toolchain = base.withImports?.(['Init', ...imports]) ?? base;
    const texts = graph.order.map((module) => [module.name, module.text, sortedOptions(module.options)]);
    const closure = hash([texts, sortedOptions(options), manifest]);
    return success({
      environment,
      key: `${key} ${closure}`,
      toolchain,
      closure,
      code: graph.order.length > 0 || !arePlainOptions(options),
      modules: nativeModules(graph),
    });
  }
}

/** Whether a folder is inside another or equal to it. */
function isIn(folder: string, above: string): boolean {
  return !path.relative(realpathSync(above), realpathSync(folder)).startsWith('..');
}

function inseparable(why: string): Failed<Failure> {
  return failed(failure('inseparable', why));
}

function lacks(why: string, missing: string[] = []): Failed<Failure> {
  return failed({ ...failure('missing-import', why), missing });
}

function noSuchModule(module: string, why: string): Failed<Failure> {
  return lacks(`no module ${module}: ${why}`, [module]);
}

function notBuilt(module: string, built: Build): Failed<Failure> {
  const culprit = [...built.failed].find(([, { because }]) => because === undefined);
  const [line = 'it does not compile'] = culprit?.[1].errors ?? built.failed.get(module)?.errors ?? [];
  return lacks(`${module} is not built: ${line}`, [module]);
}

function hash(value: unknown): string {
  return sha256(JSON.stringify(value));
}
