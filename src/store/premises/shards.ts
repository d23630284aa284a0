import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { replaceFile } from '../../io/whole-file.ts';
import type { Premise, PremiseIndex, Ranked } from './premise.ts';
import { openPremises, premisesVersion } from './premises.ts';
import { sha256 } from '../../core/sha256.ts';

/** Maximum number of shards of other projects; the least recently used are deleted first. */
const kept = 400;

/** The index of one module, and its file. */
export interface Shard {
  readonly file: string;
  readonly index: PremiseIndex;
}

/** The index of a project: that of all its modules together, and of each. */
export interface ProjectPremises extends PremiseIndex {
  readonly shards: readonly Shard[];
}

/**
 * The premises of a project's modules: one small index per module, named by the hash of its declarations. An unchanged module
 * keeps its shard; a changed one gets a new shard, and the old one is pruned later.
 */
export async function openShards(folder: string, premises: readonly Premise[]): Promise<ProjectPremises> {
  makeFolders(folder);
  const modules = Map.groupBy(premises, ({ module }) => module);
  const shards: Shard[] = [];
  const now = new Date();
  for (const some of modules.values()) {
    const file = path.join(folder, `module-${premisesVersion}-${hashOf(some)}.db`);
    if (existsSync(file)) utimesSync(file, now, now);
    const index = await openPremises(file, async function* pages() {
      yield some;
    });
    shards.push({ file, index });
  }
  prune(folder, kept + shards.length);
  return new JoinedPremises(shards);
}

/**
 * The vectors of a shard's premises, row after row, in a file next to it. They are computed on first use; `version` says with
 * what.
 */
export function shardVectors({ file }: Shard, version: string, compute: () => Float32Array): Float32Array {
  const place = file.replace(/\.db$/, `-${version}.vectors`);
  if (existsSync(place)) return new Float32Array(new Uint8Array(readFileSync(place)).buffer);
  const vectors = compute();
  replaceFile(place, new Uint8Array(vectors.buffer));
  return vectors;
}

function hashOf(premises: readonly Premise[]): string {
  const said = premises.map(({ name, kind, module, symbols }) =>
    JSON.stringify([name, kind, module, symbols]),
  );
  return sha256(said.sort().join('\n')).slice(0, 16);
}

function prune(folder: string, most: number): void {
  const files = readdirSync(folder).filter((name) => name.startsWith('module-'));
  const indexes = files
    .filter((name) => name.endsWith('.db'))
    .map((name) => ({
      name,
      time: statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((first, second) => second.time - first.time);
  const old = new Set(indexes.slice(most).map(({ name }) => path.parse(name).name));
  for (const name of files)
    if (old.has(/^module-\d+-[^-.]*/.exec(name)?.[0] ?? '')) rmSync(path.join(folder, name), { force: true });
}

/** Several indexes as one: the best results of all. */
class JoinedPremises implements ProjectPremises {
  readonly shards: readonly Shard[];

  constructor(shards: readonly Shard[]) {
    this.shards = shards;
  }

  get size(): number {
    return this.shards.reduce((sum, { index }) => sum + index.size, 0);
  }

  bySymbols(symbols: readonly string[], limit: number, modules?: readonly string[]): Ranked[] {
    return best(
      this.shards.flatMap(({ index }) => index.bySymbols(symbols, limit, modules)),
      limit,
    );
  }

  byWords(text: string, limit: number, modules?: readonly string[]): Ranked[] {
    return best(
      this.shards.flatMap(({ index }) => index.byWords(text, limit, modules)),
      limit,
    );
  }

  find(names: readonly string[]): Premise[] {
    return this.shards.flatMap(({ index }) => index.find(names));
  }

  beginningWith(text: string, limit: number): string[] {
    return shortest(
      this.shards.flatMap(({ index }) => index.beginningWith(text, limit)),
      limit,
    );
  }

  endingWith(text: string, limit: number): string[] {
    return shortest(
      this.shards.flatMap(({ index }) => index.endingWith(text, limit)),
      limit,
    );
  }

  inModules(modules: readonly string[]): string[] {
    return this.shards.flatMap(({ index }) => index.inModules(modules));
  }

  *all(): Iterable<Premise> {
    for (const { index } of this.shards) yield* index.all();
  }

  close(): void {
    for (const { index } of this.shards) index.close();
  }
}

function best(found: readonly Ranked[], limit: number): Ranked[] {
  return found.toSorted((first, second) => second.score - first.score).slice(0, limit);
}

function shortest(names: readonly string[], limit: number): string[] {
  return names.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1)).slice(0, limit);
}
