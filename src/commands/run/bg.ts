import type { Command } from 'commander';
import { addRunOptions, exitFrom, parseSeconds } from '../options/options.ts';
import { addShipOptions } from '../options/ship.ts';

export function registerBackground(program: Command): void {
  addShipOptions(
    addRunOptions(
      program
        .command('bg')
        .description("Work on a project's sorrys in the background and follow file changes")
        .argument('[files...]', 'files or folders (default: every Lean file below the working folder)')
        .option('--ship', 'create branches and pull requests for new proofs whenever the work tree is clean')
        .option('--duration <seconds>', 'stop after this time (default: never)', parseSeconds),
    ),
  ).action(exitFrom(async () => (await import('../../app/background.ts')).background));
}
