import type { Command } from 'commander';
import { addLedgerOption, exitFrom } from '../options/options.ts';
import { addShipOptions } from '../options/ship.ts';

export function registerShip(program: Command): void {
  addLedgerOption(
    addShipOptions(
      program
        .command('ship')
        .description('Create a branch and a pull request for each accepted proof')
        .argument(
          '[goals...]',
          'goals or declarations (default: all proved ones that are not on the base branch)',
        ),
    )
      .option('--promote', 'first turn helper lemmas of these proofs into theorems (see orch market promote)')
      .option(
        '--review',
        'comment whether the language model finds that statements say what the blueprint says',
      )
      .option('--json', 'print JSON'),
  ).action(exitFrom(async () => (await import('../../app/ship.ts')).shipCommand));
}
