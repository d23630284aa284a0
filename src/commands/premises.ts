import path from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { ExitCode } from '../core/exit.ts';
import type { FoundPremise } from '../lean/premises/ask.ts';
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
  const { ledgerIfThere, openLean, premiseSource, settingsFrom } = await import('../app.ts');
  const { askForPremises } = await import('../lean/premises/ask.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  await using ledger = await ledgerIfThere(settings);
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  await using source = premiseSource(settings, lean, ledger);
  const found = await askForPremises({ pool: lean.pool, views: ledger?.views, source }, text, options.k);
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : describe(found, options.why === true));
  return found.length > 0 ? ExitCode.done : ExitCode.notAll;
}

function describe(found: readonly FoundPremise[], showsWhy: boolean): string {
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
