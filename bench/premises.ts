import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { premisesFolder, settingsFrom } from '../src/app/settings.ts';
import { UserError } from '../src/core/errors.ts';
import { readFileSync } from 'node:fs';
import {
  fuse,
  symbolRetriever,
  wordRetriever,
  type PremiseQuery,
  type Retriever,
} from '../src/lean/premises/retrieve.ts';
import { queryFor } from '../src/lean/premises/query.ts';
import { openLibrary } from '../src/lean/premises/library.ts';
import { suggestionRetriever } from '../src/lean/premises/suggested.ts';

/**
 * Recall of premises: of goals whose reference proof names a lemma of the library, how many have one of those among the
 * first 12 and 32, for each way of looking and for all of them fused; and what an index and a question cost (Lean's own
 * engine is asked before the clock of a question starts).
 * Usage: npm run bench:premises -- [--data DIR]
 */
const { values } = parseArgs({ options: { data: { type: 'string' } } });
const folder = values.data ?? settingsFrom().data;
if (folder === undefined)
  throw new UserError('no-data', 'no proofs are named', 'Pass --data DIR or set ORCH_DATA.');

interface Row {
  readonly preamble: string;
  readonly statement: string;
  readonly reference_proof: string;
}
const rows = readFileSync(path.join(folder, 'lean', 'real-dev.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

const settings = { ...settingsFrom(), lean: 'embedded' };
await using opened = await openLean(settings, { image: 'std', slots: 1 });
await opened.pool.use(async (lease) => {
  const started = performance.now();
  const { index } = await openLibrary(premisesFolder(settings), opened.pool.toolchain, lease);
  const openedMs = performance.now() - started;
  const ways: Retriever[] = [symbolRetriever(index), wordRetriever(index)];
  const queries: { query: PremiseQuery; bare: PremiseQuery; used: ReadonlySet<string>; lean: Retriever }[] =
    [];
  for (const { preamble, statement, reference_proof: proof } of rows) {
    const names = proof.match(/[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)+/gu) ?? [];
    const used = new Set(index.find(names).map(({ name }) => name));
    if (used.size === 0) continue;
    const loaded = await lease.session(preamble);
    if (!loaded.ok) continue;
    const { session } = loaded;
    const reply = await lease.request('statement', { session, statement });
    if (!reply.ok) continue;
    const lean = await suggestionRetriever(lease, { session, statement });
    const { symbols } = reply;
    const bare = { symbols, text: statement };
    queries.push({ query: queryFor({ preamble, statement, symbols }), bare, used, lean });
  }
  process.stdout.write(
    `${index.size} premises, opened in ${openedMs.toFixed(0)} ms; ${queries.length} proofs name one\n`,
  );
  const contests = [
    ...ways.map((way) => [way.name, () => [way]] as const),
    ['lean', (lean: Retriever) => [lean]] as const,
    ['fused', (lean: Retriever) => [...ways, lean]] as const,
    ['fused, statement alone', (lean: Retriever) => [...ways, lean]] as const,
  ];
  for (const [name, some] of contests) {
    const isBare = name.endsWith('alone');
    const before = performance.now();
    const found: number[] = [];
    for (const { query, bare, used, lean: engine } of queries) {
      const first = await fuse(some(engine), isBare ? bare : query, 32);
      found.push(first.findIndex((premise) => used.has(premise.name)));
    }
    const ms = (performance.now() - before) / Math.max(1, queries.length);
    const within = (most: number): number => found.filter((place) => place >= 0 && place < most).length;
    process.stdout.write(
      `${name.padEnd(8)} top 12: ${within(12)} · top 32: ${within(32)} of ${queries.length} · ${ms.toFixed(1)} ms a question\n`,
    );
  }
  index.close();
});
