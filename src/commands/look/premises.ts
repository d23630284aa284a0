import { Argument, type Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { FoundPremise } from '../../lean/premises/ask.ts';
import { settingFlags } from '../../config/flags.ts';
import { alignColumns } from '../../reporters/format.ts';
import { escaped } from '../../shared/for-people.ts';
import { wholeNumber } from '../options/options.ts';

interface PremisesOptions {
  readonly k: number;
  readonly why?: true;
  readonly makeVectors?: true;
  readonly export?: string;
  readonly sources?: readonly string[];
  readonly json?: true;
  readonly ledger?: string;
}

export function registerPremises(program: Command): void {
  program
    .command('premises')
    .description('Find library theorems and definitions that a proof may need')
    .addArgument(new Argument('[goal]', 'a goal of the ledger by its name, a statement, or words'))
    .option('-k <count>', 'number of results', wholeNumber(1, 200), 12)
    .option('--why', 'show the rank given by each retriever')
    .option('--ledger <file>', 'ledger with goals and proofs')
    .option('--make-vectors', 'embed every premise with the model that ORCH_ENCODER names (needed once)')
    .option('--export <folder>', 'write the premises that proofs in --sources use, as training data')
    .option(
      '--sources <folders...>',
      'checkouts to read for --export, such as those of Mathlib and Batteries',
    )
    .option('--json', 'print JSON')
    .action(async (goal: string | undefined, options: PremisesOptions) => {
      if (options.export !== undefined)
        process.exitCode = await exportData(options.export, options.sources ?? []);
      else process.exitCode = options.makeVectors ? await vectors() : await premises(goal, options);
    });
}

async function exportData(folder: string, sources: readonly string[]): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { premiseSource } = await import('../../app/premises.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { exportPremises, modulesIn } = await import('../../lean/learning/sources/export.ts');
  const { importGraphOf } = await import('../../lean/premises/visible.ts');
  const modules = sources.flatMap(modulesIn);
  if (modules.length === 0)
    throw new UserError(
      'no-sources',
      'there are no Lean files to read',
      'Name checkouts with --sources DIR …',
    );
  const settings = settingsFrom();
  await using lean = await openLean(settings, { image: 'std', slots: 1 });
  await using source = premiseSource(settings, lean);
  const library = await lean.pool.use(async (lease) => await source.open(lease));
  const imports = (await importGraphOf(library, lean.pool.toolchain)) ?? {};
  const data = { premises: [...library.index.all()], imports };
  const { premises: all, theorems, labelled, resolved } = exportPremises(modules, data, folder);
  process.stdout.write(
    `${modules.length} modules, ${all} premises, ${theorems} proofs; ${labelled} name a premise; ${(100 * resolved).toFixed(1)} % of names resolve\n`,
  );
  return ExitCode.done;
}

/** Takes hours with a large encoder, so it reports progress; afterwards every retrieval uses the vectors. */
async function vectors(): Promise<ExitCode> {
  const { libraryEncoder, premiseSource } = await import('../../app/premises.ts');
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { makeVectors } = await import('../../lean/premises/dense.ts');
  const settings = settingsFrom();
  if (settings.encoder === undefined)
    throw new UserError(
      'no-encoder',
      'no encoder is configured',
      'Set ORCH_ENCODER, for example to onnx:FOLDER.',
    );
  const encoder = libraryEncoder(settings, settings.encoder);
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  await using source = premiseSource(settings, lean);
  const library = await lean.pool.use(async (lease) => await source.open(lease));
  const count = await makeVectors(library, encoder, (done, all) =>
    process.stderr.write(`${done} of ${all}\n`),
  );
  process.stdout.write(`${count} premises have vectors\n`);
  return ExitCode.done;
}

async function premises(text: string | undefined, options: PremisesOptions): Promise<ExitCode> {
  if (text === undefined)
    throw new UserError(
      'no-goal',
      'premises needs a goal',
      'Type orch premises GOAL, or a description in quotes.',
    );
  const { ledgerIfThere } = await import('../../app/ledger.ts');
  const { openLean } = await import('../../app/lean.ts');
  const { premiseSource } = await import('../../app/premises.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { askForPremises } = await import('../../lean/premises/ask.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  await using ledger = await ledgerIfThere(settings);
  await using lean = await openLean(settings, { image: 'init', slots: 1 });
  await using source = premiseSource(settings, lean, ledger);
  const found = await askForPremises({ pool: lean.pool, views: ledger?.views, source }, text, options.k);
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : describe(found, options.why === true));
  return found.length > 0 ? ExitCode.done : ExitCode.notAll;
}

function describe(found: readonly FoundPremise[], showsWhy: boolean): string {
  const table = alignColumns(
    found.map(({ name, kind, module, statement }) => [
      name,
      statement === '' ? `${kind} of ${module}` : statement,
    ]),
  );
  if (!showsWhy || found.length === 0) return table;
  const reasons = found.map(({ module, score, places }) => {
    const ranks = Object.entries(places).map(([retriever, place]) => `${retriever} ${place}`);
    return escaped`    ${module}; score ${(score * 1000).toFixed(1)}; ranks: ${ranks.join(', ')}`;
  });
  return table
    .trimEnd()
    .split('\n')
    .map((row, index) => `${row}\n${reasons[index] ?? ''}\n`)
    .join('');
}
