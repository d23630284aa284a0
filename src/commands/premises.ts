import path from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { Lean } from '../app.ts';
import { ExitCode } from '../core/exit.ts';
import type { PremiseQuery, Retrieved } from '../lean/premises/retrieve.ts';
import type { Lease } from '../lean/lease.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { settingFlags } from './options.ts';

interface PremisesOptions {
  readonly k: number;
  readonly why?: true;
  readonly json?: true;
  readonly ledger?: string;
}

export function registerPremises(program: Command): void {
  program
    .command('premises')
    .description('Theorems and definitions of the library that a proof may need')
    .addArgument(new Argument('<goal>', 'a goal of the ledger by its name, a statement, or words'))
    .option('-k <count>', 'how many', parseCount, 12)
    .option('--why', 'the place that each way of looking gave it')
    .option('--ledger <file>', 'the ledger: goals by name, and what accepted proofs have used')
    .option('--json', 'as JSON')
    .action(async (goal: string, options: PremisesOptions) => {
      process.exitCode = await premises(goal, options);
    });
}

async function premises(text: string, options: PremisesOptions): Promise<ExitCode> {
  const { ledgerIfThere, openLean, premisesFolder, settingsFrom } = await import('../app.ts');
  const { PremiseSource } = await import('../lean/premises/source.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  await using ledger = await ledgerIfThere(settings);
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  await using source = new PremiseSource({
    folder: premisesFolder(settings),
    toolchain: lean.pool.toolchain,
    experience: ledger?.experience,
  });
  const found = await find(lean, ledger, source, text, options.k);
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : describe(found, options.why === true));
  return found.length > 0 ? ExitCode.done : ExitCode.notAll;
}

type Found = Retrieved & { readonly kind: string; readonly module: string };

async function find(
  { pool }: Lean,
  ledger: Ledger | undefined,
  source: {
    retrieve(lease: Lease, query: PremiseQuery, limit: number): Promise<Retrieved[]>;
    open(
      lease: Lease,
    ): Promise<{ find(names: readonly string[]): { name: string; kind: string; module: string }[] }>;
  },
  text: string,
  limit: number,
): Promise<Found[]> {
  return await pool.use(async (lease) => {
    const query = await queryOf(lease, ledger, text);
    const found = await source.retrieve(lease, query, limit);
    const about = new Map(
      (await source.open(lease)).find(found.map(({ name }) => name)).map((one) => [one.name, one]),
    );
    return found.map((one) => {
      const { kind = '', module = '' } = about.get(one.name) ?? {};
      return { ...one, kind, module };
    });
  });
}

const runsLookedAt = 100;

/** A goal of the ledger, a statement that Lean reads, or words. */
async function queryOf(lease: Lease, ledger: Ledger | undefined, text: string): Promise<PremiseQuery> {
  for (const { run } of (await ledger?.views.runs(runsLookedAt)) ?? []) {
    const goal = await ledger?.views.goal(run, text);
    if (goal) return await elaborated(lease, goal.preamble, goal.statement);
  }
  const statement = /^\s*(?:theorem|lemma)\b/.test(text) ? text : `theorem asked : ${text}`;
  const query = await elaborated(lease, '', statement);
  return { ...query, text };
}

/** The constants that Lean finds in a statement; none where it cannot read it. */
async function elaborated(lease: Lease, preamble: string, statement: string): Promise<PremiseQuery> {
  const session = await lease.session(preamble);
  if (typeof session !== 'number') return { symbols: [], text: statement };
  const reply = await lease.request('statement', { session, statement });
  return { symbols: reply.ok ? reply.symbols : [], text: statement };
}

function describe(found: readonly Found[], showsWhy: boolean): string {
  const width = Math.max(0, ...found.map(({ name }) => name.length));
  return found
    .map(({ name, kind, module, score, places }) => {
      const why = Object.entries(places).map(([retriever, place]) => `${retriever} ${place}`);
      const reason = showsWhy ? `  ${(score * 1000).toFixed(1)} = ${why.join(', ')}` : '';
      return `${name.padEnd(width)}  ${kind}, ${path.basename(module)}${reason}\n`;
    })
    .join('');
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 200)
    throw new InvalidArgumentError('expected a whole number from 1 to 200.');
  return count;
}
