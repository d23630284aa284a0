import type { Command } from 'commander';
import { addLedgerOption, exitFrom } from '../options/options.ts';
import { addShipOptions } from '../options/ship.ts';

export function registerMarketPromote(market: Command): void {
  addLedgerOption(
    addShipOptions(
      market
        .command('promote')
        .description('Turn finished lemmas into theorems of the project, with branches and pull requests')
        .argument('[tickets...]', 'completed tickets (default: all that proofs of the project contain)'),
    ).option('--json', 'print JSON'),
  )
    .addHelpText(
      'after',
      `
Each lemma is made as general as its proof allows. It goes into the file with the fewest imports that every goal using it can see, on a
separate branch; goals that use it by name get branches on top. If the project already has a theorem with the same statement, that
theorem is used instead.`,
    )
    .action(exitFrom(async () => (await import('../../app/promote.ts')).promoteCommand));
}
