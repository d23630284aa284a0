import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import { UserError, messageOf } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Change, Comparison, Total } from '../../reporters/compare.ts';
import { cpu } from '../../reporters/summary.ts';
import { fit, oneLine } from '../../reporters/width.ts';
import type { GoalResult, Results } from '../../reporters/results.ts';
import { readText } from '../../io/text-file.ts';
import { exitWith } from '../options/options.ts';

export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description('Compare two runs by results file or run id')
    .argument('<before>', 'a results file or a run id')
    .argument('<after>', 'another results file or run id')
    .option('--ledger <file>', descriptions.ledger)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExit code: 0, or 1 when AFTER did not solve a goal that BEFORE solved; 2 when a file cannot be read.',
    )
    .action(
      exitWith(
        async (before: string, after: string, { json, ledger }: { json?: true; ledger?: string }) =>
          await compare(before, after, json === true, ledger),
      ),
    );
}

async function compare(
  before: string,
  after: string,
  json: boolean,
  ledger: string | undefined,
): Promise<ExitCode> {
  const { compareResults } = await import('../../reporters/compare.ts');
  const comparison = compareResults(await resultsFor(before, ledger), await resultsFor(after, ledger));
  process.stdout.write(json ? `${JSON.stringify(comparison)}\n` : describe(comparison));
  return comparison.lost.length === 0 ? ExitCode.done : ExitCode.notAll;
}

/** A file name, or a run id as the dashboard and `stats` show it. */
async function resultsFor(name: string, ledger: string | undefined): Promise<Results> {
  return /\.json$|[/\\]/.test(name) || existsSync(name)
    ? await readResults(name)
    : await resultsOfRun(name, ledger);
}

async function resultsOfRun(name: string, file: string | undefined): Promise<Results> {
  const { ledgerIfThere } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { RunSoFar } = await import('../../reporters/record.ts');
  const { resultsOf } = await import('../../reporters/results.ts');
  await using ledger = await ledgerIfThere(settingsFrom({ ledger: file }));
  const row = name === 'latest' ? (await ledger?.views.runs(1))?.[0] : await ledger?.views.run(name);
  if (!ledger || !row)
    throw new UserError(
      'no-such-run',
      `${name} is neither a file nor a run${ledger ? ' of the ledger' : ': there is no ledger here'}`,
      'orch stats lists the runs; orch bank prints where it writes its results.',
    );
  const record = new RunSoFar();
  for (const event of await ledger.journal.eventsOf(row.run)) record.apply(event);
  const results = resultsOf(record);
  if (results) return results;
  throw new UserError('not-finished', `the run ${row.run} has not finished: there is nothing to compare yet`);
}

async function readResults(file: string): Promise<Results> {
  const { Results } = await import('../../reporters/results.ts');
  const result = Results.safeParse(parseJson(file));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new UserError(
    'not-results',
    `${file} is not a results file of orch${where}`,
    '`orch bank` prints where it writes them.',
  );
}

function parseJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError('not-results', `${file} is not JSON: ${messageOf(error)}`, undefined, {
      cause: error,
    });
  }
}

function describe({ lost, gained, slower, faster, onlyInA, onlyInB, totals }: Comparison): string {
  const sections = [
    section('Lost', lost.map(goalLine)),
    section('Newly solved', gained.map(goalLine)),
    section('Slower', slower.map(changeLine)),
    section('Faster', faster.map(changeLine)),
    section('Only before', onlyInA.map(oneLine)),
    section('Only after', onlyInB.map(oneLine)),
    `${fit('', 18)}${fit('before', 22, 'right')}${fit('after', 22, 'right')}\n${totals.map(totalLine).join('')}`,
  ];
  return sections.filter((text) => text !== '').join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `${title} (${lines.length})\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function goalLine({ id, solved, arm, cpu_seconds, reason }: GoalResult): string {
  const how = solved ? (arm ?? '') : oneLine(reason);
  return `${oneLine(id)}  ${how}  ${cpu(cpu_seconds)} CPU-s`;
}

function changeLine({ id, cpu_seconds_a, cpu_seconds_b }: Change): string {
  return `${oneLine(id)}  ${cpu(cpu_seconds_a)} → ${cpu(cpu_seconds_b)} CPU-s`;
}

function totalLine({ name, a, b }: Total): string {
  return `${fit(name, 18)}${fit(figure(a), 22, 'right')}${fit(figure(b), 22, 'right')}\n`;
}

function figure(value: number | string): string {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : String(value);
}
