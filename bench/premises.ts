import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { premisesFolder, settingsFrom } from '../src/app/settings.ts';
import { UserError } from '../src/core/errors.ts';
import type { Premise, PremiseIndex } from '../src/store/premises/premise.ts';
import { environmentOf, environmentOfFile, type LeanEnvironment } from '../src/lean/project/environment.ts';
import { filesOf } from '../src/lean/goals/sources.ts';
import type { Lease } from '../src/lean/workers/lease.ts';
import type { LeanPool } from '../src/lean/workers/pool.ts';
import { openLibrary, openProject } from '../src/lean/premises/library.ts';
import { queryFor } from '../src/lean/premises/query.ts';
import {
  fuse,
  symbolRetriever,
  wordRetriever,
  type PremiseQuery,
  type Retriever,
} from '../src/lean/premises/retrieve.ts';
import { suggestionRetriever } from '../src/lean/premises/suggested.ts';
import { readTheorems, traceFile } from '../src/lean/learning/trace/trace.ts';

/**
 * Recall of premises: of theorems whose proof names a lemma of the library or of the modules below it, how many have one of
 * those among the first 12 and 32, for each way of looking and for all of them fused. Also the cost of an index and of a question
 * (Lean's own engine is asked before the clock of a question starts). The proofs are those of `real-dev`, or those in
 * the files of a project, which are built from source.
 * Usage: npm run bench:premises -- [--data DIR] [FILE|FOLDER …]
 */
const { values, positionals } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true });

interface Proof {
  readonly environment: LeanEnvironment;
  readonly preamble: string;
  readonly statement: string;
  readonly names: readonly string[];
}

/** A proof whose statement was opened, with every retrieval method to test on it. */
interface Question {
  readonly query: PremiseQuery;
  readonly bare: PremiseQuery;
  readonly used: ReadonlySet<string>;
  readonly ways: readonly Retriever[];
}

const files = filesOf(positionals).filter((file) => file.endsWith('.lean'));
const settings = { ...settingsFrom(), lean: 'embedded' };
await using lean = await openLean(settings, { image: 'std', slots: 1, files });
const proofs = files.length > 0 ? await proofsIn(lean.pool, files) : realProofs(values.data ?? settings.data);

const started = performance.now();
const library = await lean.pool.use(async (lease) => {
  return await openLibrary(premisesFolder(settings), lean.pool.toolchain, lease);
});
const openedMs = performance.now() - started;
const projects = new Map<string, PremiseIndex | undefined>();
const questions: Question[] = [];
for (const proof of proofs) {
  const asked = await lean.pool.use(async (lease) => await questionOf(lease, proof), proof);
  if (asked) questions.push(asked);
}
const total = questions.length;
process.stdout.write(
  `${library.index.size} premises, opened in ${openedMs.toFixed(0)} ms; ${total} of ${proofs.length} proofs name one\n`,
);

const names = new Set(questions.flatMap(({ ways }) => ways.map(({ name }) => name)));
for (const name of names) await contest(name, ({ ways }) => ways.filter((way) => way.name === name));
await contest('fused', ({ ways }) => ways);
await contest('fused, statement alone', ({ ways }) => ways, true);
library.index.close();
for (const project of projects.values()) project?.close();

function realProofs(folder: string | undefined): Proof[] {
  if (folder === undefined)
    throw new UserError('no-data', 'no proofs are named', 'Pass --data DIR, set ORCH_DATA, or name files.');
  return readFileSync(path.join(folder, 'lean', 'real-dev.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const row = JSON.parse(line) as { preamble: string; statement: string; reference_proof: string };
      const named = row.reference_proof.match(/[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)+/gu);
      return { ...row, environment: environmentOf(''), names: named ?? [] };
    });
}

async function proofsIn(pool: LeanPool, paths: readonly string[]): Promise<Proof[]> {
  const found: Proof[] = [];
  for (const file of paths) {
    const answer = await readTheorems(pool, file);
    if (!answer.ok) {
      process.stderr.write(`${file}: ${answer.error.kind}: ${answer.error.message}\n`);
      continue;
    }
    const read = answer.value;
    const environment = environmentOfFile(file, read.source.raw);
    for (const { start, theorem_statement, premises } of await traceFile(pool, read, () => undefined))
      found.push({
        environment,
        preamble: read.source.before(start, []),
        statement: theorem_statement,
        names: premises,
      });
  }
  return found;
}

/** Undefined if the proof names no indexed lemma, or Lean cannot open its statement. */
async function questionOf(
  lease: Lease,
  { preamble, statement, names: named }: Proof,
): Promise<Question | undefined> {
  if (!projects.has(lease.closure))
    projects.set(lease.closure, await openProject(premisesFolder(settings), lease));
  const project = projects.get(lease.closure);
  const known: Premise[] = [...library.index.find(named), ...(project?.find(named) ?? [])];
  const used = new Set(known.filter(({ kind }) => kind !== 'definition').map(({ name }) => name));
  if (used.size === 0) return undefined;
  const loaded = await lease.session(preamble);
  if (!loaded.ok) return undefined;
  const { session } = loaded;
  const reply = await lease.request('statement', { session, statement });
  if (!reply.ok) return undefined;
  const { symbols } = reply;
  const ways = [
    symbolRetriever(library.index),
    wordRetriever(library.index),
    await suggestionRetriever(lease, { session, statement }),
    ...(project ? [{ ...symbolRetriever(project), name: 'project' }] : []),
  ];
  return {
    query: queryFor({ preamble, statement, symbols }),
    bare: { symbols, text: statement },
    used,
    ways,
  };
}

async function contest(
  name: string,
  some: (question: Question) => readonly Retriever[],
  isBare = false,
): Promise<void> {
  const before = performance.now();
  const places: number[] = [];
  for (const question of questions) {
    const first = await fuse(some(question), isBare ? question.bare : question.query, 32);
    places.push(first.findIndex((premise) => question.used.has(premise.name)));
  }
  const ms = (performance.now() - before) / Math.max(1, total);
  const within = (most: number): number => places.filter((place) => place >= 0 && place < most).length;
  process.stdout.write(
    `${name.padEnd(22)} top 12: ${within(12)} · top 32: ${within(32)} of ${total} · ${ms.toFixed(1)} ms per question\n`,
  );
}
