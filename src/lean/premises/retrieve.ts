import type { PremiseTrial, PremiseUse } from '../../store/ledger/experience.ts';
import type { PremiseIndex, Ranked } from '../../store/premises/premise.ts';
import { goalWords } from './encoder/features.ts';

/** A statement that Lean can open, in a session of the caller's lease. */
export interface OpenedStatement {
  readonly session: number;
  readonly statement: string;
}

/** The subject of a premise search. */
export interface PremiseQuery {
  /** The constants of the elaborated statement. */
  readonly symbols: readonly string[];
  /** The statement as written, or a user's query. */
  readonly text: string;
  /** The whole query, if it is a name or the end of one. */
  readonly name?: string;
  /** The statement in a session of the worker, if Lean can open it. */
  readonly opened?: OpenedStatement;
  /** A person asked it, so Lean's own searches of the library may take seconds. It is a term or a statement. */
  readonly searched?: 'term' | 'statement';
  /** Restricts premises to the imports of these modules; without it, all are visible. */
  readonly part?: readonly string[];
  /** Those modules and all that they import. */
  readonly modules?: readonly string[];
}

/** A way to find premises, best first; it may query Lean or a model. */
export interface Retriever {
  readonly name: string;
  /** Its weight in the fusion; default 1. */
  readonly weight?: number;
  rank(query: PremiseQuery, limit: number): readonly Ranked[] | Promise<readonly Ranked[]>;
  close?(): void;
}

/**
 * A retriever from outside, such as dense vectors: it receives the index once, when that is opened, and may store derived data
 * under the index's name. Undefined: it does not support this environment.
 */
export type RetrieverSeat = (library: Library) => Promise<Retriever | undefined>;

/** The index of one environment, and the name of its file. */
export interface Library {
  readonly name: string;
  readonly folder: string;
  readonly index: PremiseIndex;
}

/** A premise with its rank in each retriever, from 1. */
export interface Retrieved {
  readonly name: string;
  readonly score: number;
  readonly places: Readonly<Record<string, number>>;
}

/** A retriever's visible results: invisible names would take their ranks. */
export function restricted(retriever: Retriever, isVisible: (name: string) => boolean): Retriever {
  const rank: Retriever['rank'] = async (query, limit) => {
    const found = await retriever.rank(query, overAsked * limit);
    return found.filter(({ name }) => isVisible(name)).slice(0, limit);
  };
  return { ...retriever, rank };
}

/** Enough even if the closest modules are those that import it. */
const overAsked = 10;

/** Number of results per retriever; a low rank in only one of them is useless. */
const depth = 100;
/** Of reciprocal-rank fusion; chosen on the validation half of the held-out modules. */
const smoothing = 20;

/** The symbols of a goal against those of every premise, as MePo weighs them. */
export function symbolRetriever(index: PremiseIndex): Retriever {
  return { name: 'symbols', rank: ({ symbols, modules }, limit) => index.bySymbols(symbols, limit, modules) };
}

/** Those with a name, or with the end of one; only if a name is asked for, and then they come first. */
export function nameRetriever(index: PremiseIndex): Retriever {
  return {
    name: 'name',
    weight: 20,
    rank: ({ name }, limit) =>
      name === undefined
        ? []
        : index.endingWith(name, limit).map((one, place) => ({ name: one, score: -place })),
  };
}

/** BM25 over the words of names and types. */
export function wordRetriever(index: PremiseIndex): Retriever {
  return {
    name: 'words',
    rank: ({ symbols, text, modules }, limit) =>
      index.byWords([...goalWords(text, symbols), ...symbols].join(' '), limit, modules),
  };
}

/** Premises used by proofs of similar statements. */
export function useRetriever(uses: readonly PremiseUse[]): Retriever {
  const known = uses.map(({ statement, premises }) => ({ words: wordSet(statement), premises }));
  return {
    name: 'uses',
    rank({ text }, limit) {
      const wanted = wordSet(text);
      const scores = new Map<string, number>();
      for (const { words, premises } of known) {
        const shared = [...words].filter((word) => wanted.has(word)).length;
        const likeness = shared / (words.size + wanted.size - shared || 1);
        if (likeness < minLikeness) continue;
        for (const premise of premises) scores.set(premise, (scores.get(premise) ?? 0) + likeness);
      }
      return ranked(scores).slice(0, limit);
    },
  };
}

/** Below this similarity, statements share only common words. */
const minLikeness = 0.25;

/** How often searches tried each premise, and how often that made progress. */
export type PremiseRecord = ReadonlyMap<string, PremiseTrial>;

/** A premise tried this often without progress is dropped. */
const hopeless = 64;

/** Reciprocal-rank fusion. A premise that was often tried without progress sinks and is finally dropped. */
export async function fuse(
  retrievers: readonly Retriever[],
  query: PremiseQuery,
  limit: number,
  record: PremiseRecord = new Map(),
): Promise<Retrieved[]> {
  const found = new Map<string, { score: number; readonly places: Record<string, number> }>();
  for (const retriever of retrievers)
    for (const [index, { name }] of (await retriever.rank(query, depth)).entries()) {
      const its = found.get(name) ?? { score: 0, places: {} };
      its.score += (retriever.weight ?? 1) / (smoothing + index + 1);
      its.places[retriever.name] = index + 1;
      found.set(name, its);
    }
  return [...found]
    .filter(([name]) => !isHopeless(record.get(name)))
    .map(([name, { score, places }]) => ({ name, score: score * usefulness(record.get(name)), places }))
    .sort((first, second) => second.score - first.score || (first.name < second.name ? -1 : 1))
    .slice(0, limit);
}

/** 1 for an untried premise, approaching ½ for one that never helps. */
function usefulness(its: PremiseTrial | undefined): number {
  if (!its || its.helped > 0) return 1;
  return 0.5 + 0.5 / (1 + its.tried / 8);
}

function isHopeless(its: PremiseTrial | undefined): boolean {
  return its?.helped === 0 && its.tried >= hopeless;
}

function ranked(scores: ReadonlyMap<string, number>): Ranked[] {
  return [...scores]
    .map(([name, score]) => ({ name, score }))
    .sort((first, second) => second.score - first.score);
}

/** The names in a statement, without one-letter variables and keywords of every statement. */
function wordSet(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_][\p{L}\p{N}_.'₀-₉]+/gu) ?? [];
  return new Set(words.filter((word) => word !== 'theorem' && word !== 'lemma'));
}
