import type { SweepOptions } from '../../app/sweep.ts';
import type { Command } from 'commander';
import { addRunOptions, parseSeconds } from '../options/options.ts';
import { addShipOptions } from '../options/ship.ts';

export function registerSweep(program: Command): void {
  addShipOptions(
    addRunOptions(
      program
        .command('sweep')
        .description(
          'Nightly run: all strategies on every open goal of the base branch; writes report, patch and cache',
        )
        .argument('[paths...]', 'Lean files or folders (default: the whole project)')
        .option('--ship', 'judge each proof again and create its branch and pull request')
        .option('--out <folder>', 'folder for report, patch and cache', '.orch/sweep')
        .option(
          '--timeout <seconds>',
          'wall-clock limit for the search, set-up excluded (default: none)',
          parseSeconds,
        ),
    ),
  )
    .addHelpText(
      'after',
      `
It works in a work tree of its own at the base; your files stay as they are. All strategies take part unless --profile says otherwise.
In the folder: report.md and report.json, proofs.patch (git apply takes it) and ledger.db, from which another machine can begin.

Examples:
  orch sweep --base main                    what can be proved tonight?
  orch sweep --ship --timeout 14400         and a pull request for each proof`,
    )
    .action(async (paths: string[], options: SweepOptions) => {
      process.exitCode = await (await import('../../app/sweep.ts')).sweep(paths, options);
    });
}
