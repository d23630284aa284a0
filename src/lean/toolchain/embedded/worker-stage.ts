import { readFileSync } from 'node:fs';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { makeFolders } from '../../../core/folders.ts';
import { ensureStage, type BuildStage } from '../../../io/stage.ts';
import { moduleHashes, readModule, rootModule, workerModules, type WorkerModule } from '../worker-source.ts';
import { readCopy, type CopiedModule } from './compiled-copy.ts';
import { hostFile } from './host-stage.ts';
import { findLeanPackage } from './lean-package.ts';
import { leanCommand, runLean, serveFlags, setUpFailed } from './lean-process.ts';

/** An image boots from this file: it imports the worker, whose `main` Lean runs. */
const bootFile = 'Boot.lean';
const compilerFile = 'Compile.lean';
const compiledName = 'module.olean';
const bootText = `import ${rootModule}\n`;

/** Identifies the compiler of the worker's modules, including the program that runs it. */
export function workerCompiler(): string {
  return `${findLeanPackage().identity}\n${readModule('Compile')}`;
}

/** Stage folders needed for compiling. */
interface Compiler {
  readonly host: string;
  readonly runtime: string;
  readonly library: string;
  /** Machine code of Lean, if it exists yet. */
  readonly codeFile: string | undefined;
}

interface WorkerStageOptions {
  readonly cacheFolder: string;
  /** Identifies the patched Lean that compiles. */
  readonly compiler: string;
  /** Builds the prerequisites of compiling; only called if the copy that comes with orch is stale. */
  readonly prepare: () => Promise<Compiler>;
  readonly onProgress: (text: string, fraction: number) => void;
  /** Compile every module, even those in the copy. */
  readonly fromSources?: boolean;
}

/**
 * The worker's compiled modules. Up-to-date modules are unpacked from the copy; the changed ones and their importers
 * are compiled, several in parallel. Each compiled module is its own stage, so the next change compiles only what
 * depends on it.
 */
export function workerStage(options: WorkerStageOptions): BuildStage {
  const modules = workerModules();
  const hashes = moduleHashes(modules, options.compiler);
  return {
    name: 'worker',
    key: hashes.get(rootModule) ?? '',
    build: async (folder) => {
      await writeFile(path.join(folder, bootFile), bootText);
      const copied = new Map(options.fromSources ? [] : readCopy().map((module) => [module.name, module]));
      const missing: WorkerModule[] = [];
      for (const module of modules) {
        const found = copied.get(module.name);
        if (!found || found.hash !== hashes.get(module.name)) missing.push(module);
        else await writeFile(await placeOf(folder, module.name), found.bytes);
      }
      await compileAll(missing, hashes, folder, options);
    },
  };
}

async function compileAll(
  modules: readonly WorkerModule[],
  hashes: ReadonlyMap<string, string>,
  folder: string,
  options: WorkerStageOptions,
): Promise<void> {
  if (modules.length === 0) return;
  const waiting = new Map(modules.map((module) => [module.name, module]));
  const running = new Map<string, Promise<void>>();
  const scratch = path.join(folder, 'scratch');
  await mkdir(scratch, { mode: 0o700 });
  await writeFile(path.join(folder, compilerFile), readModule('Compile'));
  const compiler = await options.prepare();
  let done = 0;
  const compile = async ({ name, text }: WorkerModule): Promise<void> => {
    const made = await ensureStage(path.join(options.cacheFolder, 'modules'), {
      name: `orch.${name}`,
      key: hashes.get(name) ?? '',
      build: async (target) => {
        const file = path.join(scratch, name);
        await writeFile(`${file}.lean`, text);
        await compileModule(name, compiler, folder, scratch);
        await rename(`${file}.olean`, path.join(target, compiledName));
      },
    });
    await link(path.join(made, compiledName), await placeOf(folder, name));
    running.delete(name);
    options.onProgress(
      `compiling orch's Lean modules (${++done} of ${modules.length})`,
      done / modules.length,
    );
  };
  options.onProgress(`compiling orch's Lean modules`, 0);
  try {
    while (waiting.size > 0 || running.size > 0) {
      const next = [...waiting.values()].find(
        ({ imports }) => !imports.some((imported) => waiting.has(imported) || running.has(imported)),
      );
      if (next && running.size < availableParallelism()) {
        waiting.delete(next.name);
        running.set(next.name, compile(next));
      } else await Promise.race(running.values());
    }
  } finally {
    await Promise.allSettled(running.values());
  }
  await rm(scratch, { recursive: true });
  await rm(path.join(folder, compilerFile));
}

/** Compiles a module whose source is in the scratch folder, into that folder. */
async function compileModule(
  name: string,
  { host, runtime, library, codeFile }: Compiler,
  folder: string,
  scratch: string,
): Promise<void> {
  const command = await leanCommand(
    hostFile(host, 'compile'),
    [runtime, library, codeFile ?? '', folder, scratch, name],
    {
      read: [host, runtime, library, folder, ...(codeFile === undefined ? [] : [codeFile])],
      write: [scratch],
    },
    codeFile === undefined ? [] : serveFlags,
  );
  let isDone = false;
  const { tail } = await runLean(command, () => (isDone = true));
  if (!isDone) throw setUpFailed(`The module ${name} of orch's Lean modules does not compile.`, tail);
}

/** The compiled modules in the worker's stage folder. */
export function readCompiled(folder: string, compiler: string): CopiedModule[] {
  const modules = workerModules();
  const hashes = moduleHashes(modules, compiler);
  return modules.map(({ name }) => ({
    name,
    hash: hashes.get(name) ?? '',
    bytes: readFileSync(path.join(folder, fileOf(name))),
  }));
}

const fileOf = (module: string): string => `${module.replaceAll('.', '/')}.olean`;

async function placeOf(folder: string, module: string): Promise<string> {
  const file = path.join(folder, fileOf(module));
  makeFolders(path.dirname(file), 0o700);
  return file;
}
