import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeOnce } from '../../../io/file-lock.ts';
import type { CachedPremises } from '../../../store/ledger/search-memory.ts';
import type { Premise, PremiseIndex, Ranked } from '../../../store/premises/premise.ts';
import {
  openVectors,
  writeVectors,
  type NamedVector,
  type VectorIndex,
} from '../../../store/premises/vectors.ts';
import { shardVectors, type ProjectPremises } from '../../../store/premises/shards.ts';
import { sha256 } from '../../../core/sha256.ts';
import type { Library, PremiseQuery, Retriever } from '../retrieve.ts';
import { PremiseEncoder } from './encoder.ts';
import { goalFeatures, premiseFeatures } from './features.ts';

const policy = fileURLToPath(new URL('../../../../policy/premise-encoder/', import.meta.url));
/** Longer premise vectors are cut to this length, so that nearest by angle means largest inner product. */
const longest = 64;
/** Added to the inner product per factor of e in the number of training proofs that use the premise. */
const useShare = 0.02;
/** Weight of the encoder in the fusion with other retrievers. */
const weight = 4;
/** Premises encoded in one turn of the event loop. */
const atOnce = 100;

/** The built-in encoder with its weights, read once per process. */
interface BuiltIn {
  readonly encoder: PremiseEncoder;
  /** Identifies the weights, as part of names of files computed with them. */
  readonly version: string;
  /** How often training proofs use a premise of Lean's library. */
  readonly uses: ReadonlyMap<string, number>;
}

let loaded: BuiltIn | undefined;

function builtIn(): BuiltIn {
  if (loaded) return loaded;
  const weights = readFileSync(path.join(policy, 'weights.bin'));
  const table = readFileSync(path.join(policy, 'used.tsv'), 'utf8');
  const uses = table
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', count]) => [name, Number(count)] as const);
  const version = sha256(weights.toString('latin1') + table).slice(0, 12);
  return (loaded = { encoder: new PremiseEncoder(weights), version, uses: new Map(uses) });
}

/**
 * Finds library theorems with the encoder that was trained on Mathlib's proofs. Vectors are computed on first
 * use and stored next to the index.
 */
export async function libraryByMeaning({ index, folder, name }: Library): Promise<Retriever> {
  const file = path.join(folder, `${name}-${builtIn().version}.vectors.db`);
  await makeOnce(file, async () => await makeVectors(index, file));
  const vectors = openVectors(file);
  return byMeaning('meaning', vectors, () => vectors?.close());
}

/** The same for the premises of a project, which fit into memory; unchanged modules keep their vectors. */
export async function projectByMeaning({ shards }: ProjectPremises): Promise<Retriever> {
  const parts: { readonly names: readonly string[]; readonly vectors: Float32Array }[] = [];
  for (const shard of shards) {
    await nextTurn();
    const theorems = theoremsOf(shard.index).sort((one, other) => (one.name < other.name ? -1 : 1));
    const vectors = shardVectors(shard, encoderVersion(), () =>
      Float32Array.from(theorems.flatMap(vectorOf)),
    );
    parts.push({ names: theorems.map(({ name }) => name), vectors });
  }
  const nearest = (goal: readonly number[], limit: number): Ranked[] =>
    parts
      .flatMap(({ names, vectors }) =>
        names.map((name, row) => ({ name, score: rowProduct(goal, vectors, row) })),
      )
      .sort((first, second) => second.score - first.score || (first.name < second.name ? -1 : 1))
      .slice(0, limit);
  return byMeaning('project meaning', { nearest });
}

export function encoderVersion(): string {
  return builtIn().version;
}

/** A goal for the premise cache. */
export function encoded({ text, symbols }: PremiseQuery): Pick<CachedPremises, 'encoder' | 'vector'> {
  const { encoder, version } = builtIn();
  const numbers = encoder.encode(goalFeatures(text, symbols), 'goal');
  const largest = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bytes = Int8Array.from(numbers, (value) => Math.round((127 * value) / (largest || 1)));
  return { encoder: version, vector: Buffer.from(bytes.buffer).toString('base64') };
}

/** Below this similarity, goals share only common words. */
const leastAlike = 0.6;

/** Premises that helped with similar goals. */
export function cachedByMeaning(cached: readonly CachedPremises[]): Retriever {
  const usable = cached.filter(({ helped, encoder }) => helped.length > 0 && encoder === builtIn().version);
  const goals = usable.map(({ vector, helped }) => ({ vector: unit(vector), helped }));
  return {
    name: 'cache',
    rank(query, limit) {
      if (goals.length === 0) return [];
      const wanted = unit(encoded(query).vector);
      const scores = new Map<string, number>();
      for (const { vector, helped } of goals) {
        const likeness = product(wanted, vector);
        if (likeness < leastAlike) continue;
        for (const name of helped) scores.set(name, Math.max(likeness, scores.get(name) ?? 0));
      }
      return [...scores]
        .map(([name, score]) => ({ name, score }))
        .sort((first, second) => second.score - first.score || (first.name < second.name ? -1 : 1))
        .slice(0, limit);
    },
  };
}

function unit(vector: string): number[] {
  const numbers = [...new Int8Array(Buffer.from(vector, 'base64'))];
  const length = Math.sqrt(product(numbers, numbers)) || 1;
  return numbers.map((value) => value / length);
}

function byMeaning(
  name: string,
  vectors: Pick<VectorIndex, 'nearest'> | undefined,
  close?: () => void,
): Retriever {
  return {
    name,
    weight,
    rank: (query, limit) => vectors?.nearest(goalVector(query), limit) ?? [],
    ...(close && { close }),
  };
}

async function makeVectors(index: PremiseIndex, file: string): Promise<void> {
  const all = theoremsOf(index);
  async function* pages(): AsyncGenerator<NamedVector[]> {
    for (let at = 0; at < all.length; at += atOnce) {
      await nextTurn();
      yield all.slice(at, at + atOnce).map((premise) => ({ name: premise.name, vector: vectorOf(premise) }));
    }
  }
  await writeVectors(file, pages());
}

function theoremsOf(index: PremiseIndex): Premise[] {
  return [...index.all()].filter(({ kind }) => kind !== 'definition');
}

/**
 * Two numbers are appended to the goal's vector: one for the number of uses, and a zero at the position of a
 * premise's padding.
 */
function goalVector({ text, symbols }: PremiseQuery): number[] {
  return [...builtIn().encoder.encode(goalFeatures(text, symbols), 'goal'), useShare, 0];
}

/** Padded to the same norm, because among vectors of equal norm the nearest one has the largest inner product. */
function vectorOf(premise: Premise): number[] {
  const { encoder, uses } = builtIn();
  const vector = [
    ...encoder.encode(premiseFeatures(premise.name, premise), 'premise'),
    logarithm(uses.get(premise.name) ?? 0),
  ];
  const square = product(vector, vector);
  const scale = Math.min(1, longest / Math.sqrt(square || 1));
  return [
    ...vector.map((value) => value * scale),
    Math.sqrt(Math.max(0, longest * longest - square * scale * scale)),
  ];
}

/** Math.log may differ in the last digit between machines, so the result is rounded to tenths. */
function logarithm(count: number): number {
  return Math.round(10 * Math.log1p(count)) / 10;
}

function rowProduct(goal: readonly number[], rows: Float32Array, row: number): number {
  const start = row * goal.length;
  let total = 0;
  for (let column = 0; column < goal.length; column++)
    total += (goal[column] ?? 0) * (rows[start + column] ?? 0);
  return total;
}

function product(first: readonly number[], second: readonly number[]): number {
  let total = 0;
  for (let index = 0; index < first.length; index++) total += (first[index] ?? 0) * (second[index] ?? 0);
  return total;
}
