import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { environmentFingerprint } from '../toolchain/fingerprint.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import type { ConstantKey, LibraryEntries } from './messages.ts';
import { constantsIn } from './references.ts';

/** Number of constants per answer of a worker. */
const batchSize = 500;

/** If a claim reaches more library constants than this, the check declines. */
const maxConstants = 50_000;

const Key = z.array(z.union([z.string(), z.number()]));

/**
 * Library constants as data in a cache file, one per line: the parts of the name as JSON, a tab, the data. The file
 * grows with the constants that claims reach. Incomplete lines left by a crash are skipped on reading.
 */
export class LibraryCache {
  readonly #judges: LeanPool;
  readonly #file: string;
  #known: Promise<Map<ConstantKey, string | null>> | undefined;

  constructor(judges: LeanPool, folder: string) {
    this.#judges = judges;
    const key = environmentFingerprint(judges.toolchain, '').slice(0, 16);
    this.#file = path.join(folder, `library-${key}.tsv`);
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
    const lines = fetched.flatMap(([key, data]) => (data === null ? [] : [`${key}\t${data}\n`]));
    if (lines.length > 0) await appendFile(this.#file, lines.join(''));
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
    this.#known ??= this.#read();
    return await this.#known;
  }

  async #read(): Promise<Map<ConstantKey, string | null>> {
    const known = new Map<ConstantKey, string | null>();
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const lines = text.split('\n');
    // the last piece is empty or incomplete
    for (const line of lines.slice(0, -1)) {
      const tab = line.indexOf('\t');
      if (tab > 0 && line.endsWith('}')) known.set(line.slice(0, tab), line.slice(tab + 1));
    }
    return known;
  }
}
