import { Option, type Command } from 'commander';
import type { LeanOptions, NewOptions, ReviewOptions, SyncOptions } from '../../app/blueprint.ts';
import { assurances } from '../../shared/assurance.ts';
import { addShipOptions } from '../options/ship.ts';

/** The parts of `orch blueprint` that ask Lean whether the blueprint is right. */
export function registerBlueprintLean(blueprint: Command): void {
  const about = 'project, blueprint folder or .tex file (default: this folder)';
  const leanOption = new Option('--lean <paths...>', 'Lean files or folders (default: those of the project)');
  blueprint
    .command('check')
    .description(
      'Find errors: labels, cycles, stray proofs, missing files, and mismatches with Lean; exit 1 if any, 3 if Lean could not check',
    )
    .argument('[place]', about, '.')
    .addOption(leanOption)
    .option('--no-lean', 'check the sources only')
    .option('--json', 'print JSON')
    .action(async (where: string, options: LeanOptions) => {
      const { checkBlueprint } = await import('../../app/blueprint.ts');
      process.exitCode = await checkBlueprint(where, options);
    });
  addShipOptions(
    blueprint
      .command('sync')
      .description('Add \\leanok where Lean accepts a declaration, remove it elsewhere')
      .argument('[place]', about, '.')
      .addOption(leanOption)
      .addOption(
        new Option('--assurance <level>', 'assurance that a proof must have')
          .choices([...assurances])
          .default('axioms-clean'),
      )
      .option('--against <folder>', 'an earlier copy of the project whose statements must be unchanged')
      .option('--restate', 'accept changed statements as new statements')
      .option('--dry-run', 'print what would change, write nothing')
      .option('--ship', 'put the marks on a branch and open a pull request; change nothing here'),
  )
    .option('--json', 'print JSON')
    .action(async (where: string, options: SyncOptions) => {
      const { syncMarks } = await import('../../app/blueprint.ts');
      process.exitCode = await syncMarks(where, options);
    });
  blueprint
    .command('new')
    .description('Draft a node for a Lean declaration that has none')
    .argument('[place]', about, '.')
    .requiredOption('--name <name>', 'name of the declaration')
    .addOption(leanOption)
    .option('--label <label>', 'label (default: from the name)')
    .option('--into <file>', 'append to this .tex file (default: stdout)')
    .action(async (where: string, options: NewOptions) => {
      const { draftNodeFor } = await import('../../app/blueprint.ts');
      process.exitCode = await draftNodeFor(where, options);
    });
  blueprint
    .command('review')
    .description(
      'Ask the language model whether Lean statements say what the text says; exit 1 if it has doubts',
    )
    .argument('[place]', about, '.')
    .option('--node <label>', 'only this node (repeatable)', (label, all: string[]) => [...all, label], [])
    .addOption(leanOption)
    .option('--json', 'print JSON')
    .action(async (where: string, options: ReviewOptions) => {
      const { reviewStatements } = await import('../../app/blueprint.ts');
      process.exitCode = await reviewStatements(where, options);
    });
}
