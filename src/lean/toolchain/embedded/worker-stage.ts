import { readFileSync } from 'node:fs';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ensureStage, type BuildStage } from '../../../io/stage.ts';
import { moduleHashes, readModule, rootModule, workerModules, type WorkerModule } from '../worker-source.ts';
import { readCopy, type CopiedModule } from './compiled-copy.ts';
import { hostFile } from './host-stage.ts';
import { findLeanPackage } from './lean-package.ts';
import { leanCommand, runLean, serveFlags, setUpFailed } from './lean-process.ts';

/** What an image boots from: it imports the worker, whose `main` Lean runs. */
const bootFile = 'Boot.lean';
const compilerFile = 'Compile.lean';
const compiledName = 'module.olean';
const bootText = `import ${rootModule}\n`;

/** Names what compiles the worker's modules, the program that does it included. */
export function workerCompiler(): string {
  return `${findLeanPackage().identity}\n${readModule('Compile')}`;
}

/** Folders of the stages that compiling needs. */
interface Compiler {
  readonly host: string;
  readonly runtime: string;
  readonly library: string;
  /** Machine code of Lean, if there is any yet. */
  readonly codeFile: string | undefined;
}

interface WorkerStageOptions {
  readonly cacheFolder: string;
  /** Names the patched Lean that compiles. */
  readonly compiler: string;
  /** Makes what compiling needs; called only if the copy that comes with orch is stale. */
  readonly prepare: () => Promise<Compiler>;
  readonly onProgress: (text: string, fraction: number) => void;
  /** Compile every module, whatever the copy has. */
  readonly fromSources?: boolean;
}

/**
 * The worker's modules, compiled. What the copy has is unpacked; a module that has changed since, or that imports one that
 * has, is compiled, several at a time. Each compiled module is a stage of its own, so the next change compiles only what
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
    options.onProgress(`compiling orch's Lean side (${++done} of ${modules.length})`, done / modules.length);
  };
  options.onProgress(`compiling orch's Lean side`, 0);
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

/** Compile a module whose text lies in the scratch folder, into that folder. */
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
  if (!isDone) throw setUpFailed(`The module ${name} of orch's Lean side does not compile.`, tail);
}

/** The modules in the folder of a worker's stage. */
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
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  return file;
}
