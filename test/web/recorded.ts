import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RunEvent } from '../../src/shared/events.ts';

const file = path.join(import.meta.dirname, '..', 'fixtures', 'recorded-runs.jsonl.gz');

/** The events of two real runs on the files of docs/tour, as `npm run docs:record` recorded them. */
export function recordedRuns(): RunEvent[] {
  return gunzipSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
}
