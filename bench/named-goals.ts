import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLean } from '../src/app/lean.ts';
import { premiseSource } from '../src/app/premises.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { seedFrom } from '../src/core/rng.ts';
import { readDeclarations, type SourceDeclaration } from '../src/lean/learning/sources/declarations.ts';
import { basicLemmas, isHeldOut, modulesIn } from '../src/lean/learning/sources/export.ts';
import { premisesNamedBy } from '../src/lean/learning/sources/labels.ts';
import { splitOf } from '../src/lean/learning/splits.ts';
import type { Lease } from '../src/lean/workers/lease.ts';

/**
 * Goals whose proofs name a theorem of Lean's library: theorems of Mathlib, Batteries and Aesop, as far as Lean's library alone can read
 * their statements. The premise encoder was trained on none of them: they are from held-out modules or, with `--trained DIR` (the checkouts
 * that it was trained on), newer than those. Rows for `orch run`, with the names in `named`.
 * Usage: npm run bench:named-goals -- DIR… [--trained DIR]… [--split train|validate|report]… [--count N] [--out FILE]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trained: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', multiple: true, default: ['train'] },
    count: { type: 'string', default: '40' },
    out: { type: 'string' },
  },
});

interface Candidate {
  readonly module: string;
  readonly declaration: SourceDeclaration;
  readonly named: readonly string[];
}

/** More of one module would measure that module. */
const mostOfModule = 8;
const longestStatement = 300;

/** Preambles, and whether Lean reads them. */
const loadable = new Map<string, boolean>();

const settings = { ...settingsFrom(), lean: 'embedded' };
await using lean = await openLean(settings, { image: 'init', slots: 1 });
await using source = premiseSource(settings, lean);
const rows = await lean.pool.use(async (lease) => {
  const { index } = await source.open(lease);
  const theorems = [...index.all()].filter(({ kind }) => kind === 'theorem').map(({ name }) => name);
  return await rowsFrom(lease, candidatesIn(positionals, new Set(theorems)), Number(values.count));
});
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
if (values.out === undefined) process.stdout.write(lines);
else writeFileSync(values.out, lines);

/** In a random order. */
function candidatesIn(folders: readonly string[], known: ReadonlySet<string>): Candidate[] {
  const seen = trainedOn(values.trained);
  return declarationsIn(folders)
    .filter(({ module }) => values.split.includes(splitOf(module)))
    .filter(({ module, declaration }) =>
      seen ? !namesOf(declaration).some((name) => seen.has(name)) : isHeldOut(module),
    )
    .filter(
      ({ declaration: { isTheorem, proof, statement, name } }) =>
        isTheorem && proof !== '' && statement.length <= longestStatement && !known.has(name),
    )
    .map((one) => ({
      ...one,
      named: premisesNamedBy(one.declaration, known).used.filter((name) => !basicLemmas.test(name)),
    }))
    .filter(({ named }) => named.length > 0)
    .map((one) => ({ one, key: seedFrom(1, `${one.module} ${one.declaration.name}`) }))
    .toSorted((first, second) => first.key - second.key)
    .map(({ one }) => one);
}

function declarationsIn(folders: readonly string[]): Omit<Candidate, 'named'>[] {
  return folders
    .flatMap(modulesIn)
    .flatMap(({ name: module, text: content }) =>
      readDeclarations(content).declarations.map((declaration) => ({ module, declaration })),
    );
}

/** The names and statements of the training data, which theorems in newer modules may repeat. */
function trainedOn(folders: readonly string[]): ReadonlySet<string> | undefined {
  if (folders.length === 0) return undefined;
  const trained = declarationsIn(folders).filter(({ module }) => !isHeldOut(module));
  return new Set(trained.flatMap(({ declaration }) => namesOf(declaration)));
}

function namesOf({ name, statement }: SourceDeclaration): string[] {
  return [name, statement.replaceAll(/\s+/g, ' ')];
}

/** Those whose statement and context Lean reads without any import. */
async function rowsFrom(lease: Lease, candidates: readonly Candidate[], count: number): Promise<object[]> {
  const found: object[] = [];
  const ofModule = new Map<string, number>();
  for (const { module, declaration, named } of candidates) {
    if (found.length >= count) break;
    if ((ofModule.get(module) ?? 0) >= mostOfModule) continue;
    const preamble = await readable(lease, declaration.context);
    const statement = `theorem goal_${declaration.name.replaceAll(/[^\p{L}\p{N}_']/gu, '_')} ${plain(declaration.statement)}`;
    if (!(await isRead(lease, preamble, statement))) continue;
    ofModule.set(module, (ofModule.get(module) ?? 0) + 1);
    found.push({ id: `${module}/${declaration.name}`, preamble, statement, named });
  }
  return found;
}

/** Without the commands that need something of Mathlib; a statement that depends on them is not read either. */
async function readable(lease: Lease, context: readonly string[]): Promise<string> {
  let preamble = 'set_option autoImplicit false\n'; // else `π` is a variable
  for (const command of context) {
    const longer = `${preamble}${plain(command)}\n`;
    if (await isLoaded(lease, longer)) preamble = longer;
  }
  return preamble;
}

async function isLoaded(lease: Lease, preamble: string): Promise<boolean> {
  const known = loadable.get(preamble) ?? (await lease.session(preamble)).ok;
  loadable.set(preamble, known);
  return known;
}

async function isRead(lease: Lease, preamble: string, statement: string): Promise<boolean> {
  const loaded = await lease.session(preamble);
  if (!loaded.ok) return false;
  return (await lease.request('statement', { session: loaded.session, statement })).ok;
}

/** In the words of Lean's library: some of Mathlib's notation means the same. */
function plain(text: string): string {
  return text
    .replaceAll('ℕ', 'Nat')
    .replaceAll('ℤ', 'Int')
    .replaceAll(/\b(Type|Sort)\*/g, '$1 _');
}
