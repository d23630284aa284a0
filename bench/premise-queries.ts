import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { premiseSource } from '../src/app/premises.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { askForPremises } from '../src/lean/premises/ask.ts';

/**
 * Queries as people type them (expressions, names, English), with the theorems that they expect: how many are answered within the first
 * 1, 5 and 10 results of `orch premises`. Half of the queries, chosen by hash, are for development; `--half final` is reported.
 * Usage: npm run bench:premise-queries -- [--half train|final] [--misses]
 */
const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'train' },
    misses: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly query: string;
  readonly expected: readonly string[];
}

const rows = readFileSync(new URL('premise-queries.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
  .filter(({ query }) => halfOf(query) === values.half);
const settings = { ...settingsFrom(), lean: 'embedded' };
await using lean = await openLean(settings, { image: 'init', slots: 1 });
await using source = premiseSource(settings, lean);
const places: number[] = [];
for (const { query, expected } of rows) {
  const found = await askForPremises({ pool: lean.pool, source }, query, 10);
  const place = found.findIndex(({ name }) => expected.includes(name));
  places.push(place);
  if (values.misses && place !== 0)
    process.stdout.write(`${place + 1} ${query}: ${found.map(({ name }) => name).join(' ')}\n`);
}
const within = (most: number): number => places.filter((place) => place >= 0 && place < most).length;
process.stdout.write(
  `${values.half}: of ${rows.length} queries, ${within(1)} at 1, ${within(5)} at 5, ${within(10)} at 10\n`,
);

function halfOf(query: string): 'train' | 'final' {
  return (createHash('sha256').update(`query ${query}`).digest()[0] ?? 0) % 2 === 0 ? 'train' : 'final';
}
