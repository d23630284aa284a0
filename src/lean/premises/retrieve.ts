import type { PremiseTrial, PremiseUse } from '../../store/ledger/experience.ts';
import type { PremiseIndex, Ranked } from '../../store/premises/premise.ts';
import { goalWords } from './encoder/features.ts';

/** A statement that Lean can open, in a session of the lease that asks. */
export interface OpenedStatement {
  readonly session: number;
  readonly statement: string;
}

/** What premises are wanted for. */
export interface PremiseQuery {
  /** The constants of the statement, as Lean elaborates it. */
  readonly symbols: readonly string[];
  /** The statement as it is written, or whatever a person asks for. */
  readonly text: string;
  /** The statement in a session of the worker that is asked, where Lean can open it. */
  readonly opened?: OpenedStatement;
  /** The modules whose imports are all that can be seen; without it, everything. */
  readonly part?: readonly string[];
  /** Those modules and all that they import. */
  readonly modules?: readonly string[];
}

/** One way to find premises, the best first; it may have to ask someone (Lean, a model). */
export interface Retriever {
  readonly name: string;
  /** How much its places count when several are fused; 1 where it says nothing. */
  readonly weight?: number;
  rank(query: PremiseQuery, limit: number): readonly Ranked[] | Promise<readonly Ranked[]>;
  close?(): void;
}

/**
 * A way that comes from elsewhere, such as dense vectors: it is shown the index once, when that is opened, and may keep what it
 * makes of it under the index's name. Undefined: it has nothing to say about this environment.
 */
export type RetrieverSeat = (library: Library) => Promise<Retriever | undefined>;

/** The index of one environment, and the name under which its file is kept. */
export interface Library {
  readonly name: string;
  readonly folder: string;
  readonly index: PremiseIndex;
}

/** A premise with the places that each retriever gave it, from 1. */
export interface Retrieved {
  readonly name: string;
  readonly score: number;
  readonly places: Readonly<Record<string, number>>;
}

/** Of one retriever, what can be seen: names from elsewhere would take the places of those. */
export function restricted(retriever: Retriever, isVisible: (name: string) => boolean): Retriever {
  const rank: Retriever['rank'] = async (query, limit) => {
    const found = await retriever.rank(query, overAsked * limit);
    return found.filter(({ name }) => isVisible(name)).slice(0, limit);
  };
  return { ...retriever, rank };
}

/** Enough, where a module's nearest relatives are those that import it. */
const overAsked = 10;

/** How many each retriever is asked for: what only one of them knows far down is not a premise. */
const depth = 100;
/** Of reciprocal-rank fusion; chosen on the validation half of the held-out modules. */
const smoothing = 20;

/** The symbols of a goal against those of every premise, as MePo weighs them. */
export function symbolRetriever(index: PremiseIndex): Retriever {
  return { name: 'symbols', rank: ({ symbols, modules }, limit) => index.bySymbols(symbols, limit, modules) };
}

/** BM25 over the words of names and types. */
export function wordRetriever(index: PremiseIndex): Retriever {
  return {
    name: 'words',
    rank: ({ symbols, text, modules }, limit) =>
      index.byWords([...goalWords(text, symbols), ...symbols].join(' '), limit, modules),
  };
}

/** What proofs of similar statements have used. */
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

/** Below it two statements have only small words in common. */
const minLikeness = 0.25;

/** How often each premise was tried by searches, and how often the step led on. */
export type PremiseRecord = ReadonlyMap<string, PremiseTrial>;

/** Tried so often without ever leading on, a premise gets no further chance. */
const hopeless = 64;

/** Reciprocal-rank fusion; a premise that was tried often and never led on sinks, and in the end is left out. */
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

/** 1 for one that nobody has tried; towards a half for one that only wastes time. */
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

/** The names in a statement, but for variables of one letter and the keywords that every statement has. */
function wordSet(text: string): ReadonlySet<string> {
  const words = text.match(/[\p{L}_][\p{L}\p{N}_.'₀-₉]+/gu) ?? [];
  return new Set(words.filter((word) => word !== 'theorem' && word !== 'lemma'));
}
