import path from 'node:path';
import { z } from 'zod';
import { environmentFingerprint } from '../toolchain/fingerprint.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { ConstantsFile } from './constants-file.ts';
import type { ConstantKey, LibraryEntries } from './messages.ts';
import { constantsIn } from './references.ts';

/** Number of constants per answer of a worker. */
const batchSize = 500;

/** If a claim reaches more library constants than this, the check declines. */
const maxConstants = 50_000;

const Key = z.array(z.union([z.string(), z.number()]));

/** The library's constants as data, as far as claims have reached them. */
export class LibraryCache {
  readonly #judges: LeanPool;
  readonly #file: ConstantsFile;
  #known: Promise<Map<ConstantKey, string | null>> | undefined;

  constructor(judges: LeanPool, folder: string) {
    this.#judges = judges;
    const key = environmentFingerprint(judges.toolchain, '').slice(0, 16);
    this.#file = new ConstantsFile(path.join(folder, `constants-${key}.tsv`));
  }

  /** All cached entries. */
  async entries(): Promise<LibraryEntries> {
    return [...(await this.#load())];
  }

  /** Looks up constants and everything they reach; returns the entries that were not cached before. */
  async fetch(keys: readonly ConstantKey[], limits: RequestLimits): Promise<LibraryEntries> {
    const known = await this.#load();
    const fetched: [ConstantKey, string | null][] = [];
    let wanted = keys.filter((key) => !known.has(key));
    while (wanted.length > 0 && fetched.length < maxConstants) {
      const batch = wanted.slice(0, batchSize);
      const reached = new Set(wanted.slice(batchSize));
      const found = await this.#ask(batch, limits);
      for (const [i, key] of batch.entries()) {
        const data = found[i] === null || found[i] === undefined ? null : JSON.stringify(found[i]);
        known.set(key, data);
        fetched.push([key, data]);
        for (const other of constantsIn(data ?? undefined)) if (!known.has(other)) reached.add(other);
      }
      wanted = [...reached].filter((key) => !known.has(key));
    }
    const kept = fetched.flatMap(([key, data]) => (data === null ? [] : [[key, data] as const]));
    if (kept.length > 0) await this.#file.append(kept);
    // cached entries may still be new to this caller
    const asked = keys.filter((key) => !fetched.some(([one]) => one === key));
    return [...fetched, ...asked.map((key) => [key, known.get(key) ?? null] as const)];
  }

  async #ask(keys: readonly ConstantKey[], limits: RequestLimits): Promise<readonly unknown[]> {
    const names = keys.map((key) => Key.parse(JSON.parse(key)));
    const reply = await this.#judges.use(async (lease) => await lease.request('library', { names }, limits));
    if (!reply.ok) throw new Error(`Lean did not export its library: ${reply.message}`);
    return reply.constants;
  }

  async #load(): Promise<Map<ConstantKey, string | null>> {
    this.#known ??= this.#file.read();
    return await this.#known;
  }
}
