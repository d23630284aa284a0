import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Search, SearchMemory, TacticStep } from '../../src/store/ledger/search-memory.ts';
import type { RunEvent } from '../../src/shared/events.ts';

/** Recorded with `npm run docs:record`. */
const folder = path.join(import.meta.dirname, '..', 'fixtures');

/** Two real runs on the files of docs/tour. */
export function recordedRuns(): RunEvent[] {
  return linesOf('recorded-runs.jsonl.gz') as RunEvent[];
}

/** Eleven real runs of different kinds: finished, timed out, stopped, resumed, from the cache, with refutations and helper lemmas, ARC. */
export function runsOfAllKinds(): RunEvent[] {
  return linesOf('recorded-kinds.jsonl.gz') as RunEvent[];
}

/** The search memory of two goals. */
export interface RecordedSearch {
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly searches: readonly Search[];
  readonly steps: readonly TacticStep[];
}

export function recordedSearches(): RecordedSearch[] {
  return linesOf('recorded-searches.jsonl.gz') as RecordedSearch[];
}

/** Holes of a proof become searches of the goal: the key of a hole is not recorded. */
export async function remember(memory: SearchMemory, recorded: readonly RecordedSearch[]): Promise<void> {
  for (const { goal_hash, fingerprint, searches, steps } of recorded) {
    await memory.noteSteps(steps);
    for (const { start, nodes } of searches)
      await memory.saveFrontier(`${goal_hash}:${start.state}`, fingerprint, start, nodes);
  }
}

function linesOf(name: string): unknown[] {
  const file = path.join(folder, name);
  if (!existsSync(file)) return [];
  return gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}
