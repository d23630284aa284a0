import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import type { Premise, PremiseIndex, Ranked } from './premise.ts';
import { openPremises, premisesVersion } from './premises.ts';

/** Maximum number of shards of all projects; the least recently used are deleted first. */
const kept = 400;

/**
 * The premises of a project's modules: one small index per module, named by the hash of its declarations. An unchanged module
 * keeps its shard; a changed one gets a new shard, and the old one is pruned later.
 */
export async function openShards(folder: string, premises: readonly Premise[]): Promise<PremiseIndex> {
  mkdirSync(folder, { recursive: true });
  const modules = Map.groupBy(premises, ({ module }) => module);
  const shards: PremiseIndex[] = [];
  const now = new Date();
  for (const some of modules.values()) {
    const file = path.join(folder, `module-${premisesVersion}-${hashOf(some)}.db`);
    if (existsSync(file)) utimesSync(file, now, now);
    shards.push(
      await openPremises(file, async function* pages() {
        yield some;
      }),
    );
  }
  prune(folder);
  return new JoinedPremises(shards);
}

function hashOf(premises: readonly Premise[]): string {
  const said = premises.map(({ name, kind, module, symbols }) =>
    JSON.stringify([name, kind, module, symbols]),
  );
  return createHash('sha256').update(said.sort().join('\n')).digest('hex').slice(0, 16);
}

function prune(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.startsWith('module-') && name.endsWith('.db'))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((first, second) => second.time - first.time);
  for (const { file } of files.slice(kept)) rmSync(file, { force: true });
}

/** Several indexes as one: the best results of all. */
class JoinedPremises implements PremiseIndex {
  readonly #shards: readonly PremiseIndex[];

  constructor(shards: readonly PremiseIndex[]) {
    this.#shards = shards;
  }

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  bySymbols(symbols: readonly string[], limit: number, modules?: readonly string[]): Ranked[] {
    return best(
      this.#shards.flatMap((shard) => shard.bySymbols(symbols, limit, modules)),
      limit,
    );
  }

  byWords(text: string, limit: number, modules?: readonly string[]): Ranked[] {
    return best(
      this.#shards.flatMap((shard) => shard.byWords(text, limit, modules)),
      limit,
    );
  }

  find(names: readonly string[]): Premise[] {
    return this.#shards.flatMap((shard) => shard.find(names));
  }

  beginningWith(text: string, limit: number): string[] {
    const names = this.#shards.flatMap((shard) => shard.beginningWith(text, limit));
    return names
      .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
      .slice(0, limit);
  }

  inModules(modules: readonly string[]): string[] {
    return this.#shards.flatMap((shard) => shard.inModules(modules));
  }

  *all(): Iterable<Premise> {
    for (const shard of this.#shards) yield* shard.all();
  }

  close(): void {
    for (const shard of this.#shards) shard.close();
  }
}

function best(found: readonly Ranked[], limit: number): Ranked[] {
  return found.toSorted((first, second) => second.score - first.score).slice(0, limit);
}
