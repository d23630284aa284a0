import { link, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { makeFolders } from '../../core/folders.ts';
import { ensureStage, isIntact, markUsed, stageFolder, type BuildStage } from '../../io/stage.ts';
import { trimStages } from '../../io/stage-trim.ts';
import type { ModuleGraph } from './graph.ts';
import { fileOf, moduleNameParts } from '../base/module-names.ts';
import { sortedOptions } from '../base/options.ts';
import { sha256 } from '../../core/sha256.ts';

/** Increases when the format of build results changes. */
const format = 3;

/** The files of a compiled module; other compiler output is discarded. */
const extensions = ['.olean', '.olean.server', '.olean.private', '.ir', '.ilean'] as const;
const stem = 'module';
/** The file that a compiler writes first; the others are next to it. */
export const mainFile = `${stem}.olean`;
const recordFile = 'record.json';

const BuildRemark = z.object({ line: z.number(), text: z.string() });
export type BuildRemark = z.infer<typeof BuildRemark>;

const Record_ = z.object({
  /** It can run its own code, in its compilation or in its importers. */
  code: z.boolean(),
  cpuSeconds: z.number(),
  /** Peak memory of its compiler; absent in records of earlier versions. */
  peakBytes: z.number().optional(),
  /** Lean's warnings, each with its line. */
  warnings: z.array(BuildRemark),
  /** Errors of a package's module that is kept with a `sorry`. */
  errors: z.array(BuildRemark).default([]),
});
export type ModuleRecord = z.infer<typeof Record_>;

/** Hash of each module's inputs: text, options, Lean, and the inputs of its imports. */
export function hashesOf(graph: ModuleGraph, toolchain: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { name, text, options, imports, isLent } of graph.order) {
    const below = imports.toSorted().map((module) => [module, hashes.get(module) ?? '']);
    const parts = [format, toolchain, name, text, sortedOptions(options), isLent, below];
    hashes.set(name, sha256(JSON.stringify(parts)));
  }
  return hashes;
}

/** Compiled modules on disk, each in a folder named by the hash of its inputs. */
export class ModuleStore {
  readonly #root: string;

  constructor(cacheFolder: string) {
    this.#root = path.join(cacheFolder, 'modules');
  }

  /** The record of a compiled module. */
  async find(name: string, hash: string): Promise<ModuleRecord | undefined> {
    const folder = stageFolder(this.#root, this.#stage(name, hash));
    if (!(await isIntact(folder, hash))) return undefined;
    await markUsed(folder);
    return Record_.safeParse(JSON.parse(await readFile(path.join(folder, recordFile), 'utf8'))).data;
  }

  /** Compiles a module into a fresh folder, which appears complete or not at all. */
  async add(
    name: string,
    hash: string,
    compile: (folder: string) => Promise<ModuleRecord>,
  ): Promise<ModuleRecord> {
    const stage = this.#stage(name, hash, async (folder) => {
      const record = await compile(folder);
      const wanted = new Set<string>(extensions.map((extension) => stem + extension));
      for (const file of await readdir(folder))
        if (!wanted.has(file)) await rm(path.join(folder, file), { recursive: true });
      await writeFile(path.join(folder, recordFile), JSON.stringify(record));
    });
    const folder = await ensureStage(this.#root, stage);
    return Record_.parse(JSON.parse(await readFile(path.join(folder, recordFile), 'utf8')));
  }

  /** Links a module into a folder under its own name. */
  async show(name: string, hash: string, folder: string): Promise<void> {
    const from = stageFolder(this.#root, this.#stage(name, hash));
    const target = path.join(folder, fileOf(name, ''));
    makeFolders(path.dirname(target), 0o700);
    for (const extension of extensions)
      await link(path.join(from, stem + extension), target + extension).catch(ignoreMissing);
  }

  /** A folder that contains exactly these modules. */
  async view(modules: ReadonlyMap<string, string>): Promise<string> {
    const list = [...modules].toSorted(([first], [second]) => (first < second ? -1 : 1));
    return await ensureStage(this.#root, {
      name: 'view',
      key: JSON.stringify(list),
      build: async (folder) => {
        for (const [name, hash] of list) await this.show(name, hash, folder);
      },
    });
  }

  /** Trims the cache folder, including images, to a bound. */
  async trim(maxBytes: number, now: number): Promise<void> {
    await trimStages([path.dirname(this.#root), this.#root], maxBytes, now);
  }

  #stage(name: string, key: string, build: BuildStage['build'] = noBuild): BuildStage {
    const plain = moduleNameParts(name)
      .join('.')
      .replaceAll(/[^\w.-]/g, '_');
    return { name: plain.slice(-80), key, build };
  }
}

async function noBuild(): Promise<never> {
  throw new Error('a module is compiled by add');
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
}
