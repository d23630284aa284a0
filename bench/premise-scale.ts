import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { premiseSource } from '../src/app/premises.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { libraryByMeaning, projectByMeaning } from '../src/lean/premises/encoder/retriever.ts';
import { symbolRetriever, wordRetriever, type PremiseQuery } from '../src/lean/premises/retrieve.ts';
import type { Premise } from '../src/store/premises/premise.ts';
import { openPremises } from '../src/store/premises/premises.ts';
import { openShards } from '../src/store/premises/shards.ts';

/**
 * What premise indexes cost: size, CPU to build and per query. The premises are those of Lean's library and copies of them in which
 * names and rare constants are renamed. Then a project of 100 modules: opened for the first time, again, and after one module changed.
 * Usage: npm run bench:premise-scale -- [--count 200000]
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '200000' } } });
const count = Number(values.count);
/** A constant in more premises than this is the same in all copies. */
const common = 50;
const queries = 50;
const projectSize = 5000;
const modules = 100;

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-scale-'));
try {
  const library = await libraryPremises();
  await measureLibrary(enlarged(library));
  await measureProject(library.slice(0, projectSize));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function libraryPremises(): Promise<Premise[]> {
  const settings = { ...settingsFrom(), lean: 'embedded' };
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  await using source = premiseSource(settings, lean);
  return await lean.pool.use(async (lease) => [...(await source.open(lease)).index.all()]);
}

function enlarged(library: readonly Premise[]): Premise[] {
  const places = new Map<string, number>();
  for (const { symbols } of library)
    for (const symbol of symbols) places.set(symbol, (places.get(symbol) ?? 0) + 1);
  return Array.from({ length: count }, (_, index): Premise => {
    const copy = Math.floor(index / library.length);
    const premise = library[index % library.length];
    if (!premise) throw new Error('the library is empty');
    if (copy === 0) return premise;
    const renamed = (name: string): string => `Copy${copy}.${name}`;
    return {
      ...premise,
      name: renamed(premise.name),
      module: renamed(premise.module),
      symbols: premise.symbols.map((symbol) =>
        (places.get(symbol) ?? 0) > common ? symbol : renamed(symbol),
      ),
    };
  });
}

async function measureLibrary(premises: readonly Premise[]): Promise<void> {
  const file = path.join(folder, 'scale.db');
  const index = await timed(`index of ${premises.length} premises`, async () =>
    openPremises(file, async function* pages() {
      yield premises;
    }),
  );
  const meaning = await timed('its vectors', async () => libraryByMeaning({ name: 'scale', folder, index }));
  say(`size: index ${megabytes(file)} MB, vectors ${megabytes(vectorsIn(folder))} MB`);
  const step = Math.floor(premises.length / queries);
  const asked = Array.from({ length: queries }, (_, place): PremiseQuery => {
    const { name = '', symbols = [] } = premises[place * step] ?? {};
    return { text: name.replaceAll(/[._]/g, ' '), symbols };
  });
  for (const retriever of [symbolRetriever(index), wordRetriever(index), meaning]) {
    const before = process.cpuUsage();
    for (const query of asked) await retriever.rank(query, 100);
    say(`query by ${retriever.name}: ${((1000 * secondsSince(before)) / queries).toFixed(1)} CPU-ms`);
  }
  meaning.close?.();
  index.close();
}

async function openProject(premises: readonly Premise[]): Promise<void> {
  const index = await openShards(path.join(folder, 'project'), premises);
  await projectByMeaning(index);
  index.close();
}

function megabytes(file: string): string {
  return (statSync(file).size / 1e6).toFixed(0);
}

function vectorsIn(place: string): string {
  const [file = ''] = globSync('*.vectors.db', { cwd: place });
  return path.join(place, file);
}

async function measureProject(library: readonly Premise[]): Promise<void> {
  const size = Math.ceil(library.length / modules);
  const project = library.map((premise, index) => ({ ...premise, module: `M${Math.floor(index / size)}` }));
  await timed(`project of ${project.length} premises in ${modules} modules`, async () =>
    openProject(project),
  );
  await timed('again', async () => openProject(project));
  await timed('after a change in one module', async () => openProject(project.slice(1)));
}

async function timed<Value>(title: string, work: () => Promise<Value>): Promise<Value> {
  const before = process.cpuUsage();
  const value = await work();
  say(`${title}: ${secondsSince(before).toFixed(1)} CPU-s`);
  return value;
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
