import { type Command } from 'commander';
import { addWorkersOption, exitFrom, numberIn, timeoutOption } from '../options/options.ts';
import { addShipOptions } from '../options/ship.ts';

export function registerSweep(program: Command): void {
  addShipOptions(
    addWorkersOption(
      program
        .command('sweep')
        .description(
          'Nightly run: all strategies on every open goal of the base branch; writes report, patch and cache',
        )
        .argument('[paths...]', 'Lean files or folders (default: the whole project)')
        .option('--ship', 'judge each proof again and create its branch and pull request')
        .option('--promote', 'with --ship: first turn helper lemmas of the proofs into theorems')
        .option(
          '--stuck',
          'only goals that are critical and that earlier runs left open, with a larger budget',
        )
        .option('--relax <factor>', 'with --stuck: multiply goal_cpu by this', numberIn(1, 100), 5)
        .option('--out <folder>', 'folder for report, patch and cache', '.orch/sweep')
        .option(...timeoutOption),
    ),
  )
    .addHelpText(
      'after',
      `
It works in its own work tree of the base branch; your files are not touched. It uses all strategies unless you set --profile.
It writes report.md, report.json, proofs.patch (for git apply) and ledger.db, which another machine can continue from.

Examples:
  orch sweep --base main                    what can be proved tonight?
  orch sweep --ship --timeout 14400         and a pull request for each proof
  orch sweep --stuck --workers remote       more time for critical goals, on other machines`,
    )
    .action(exitFrom(async () => (await import('../../app/sweep.ts')).sweep));
}
