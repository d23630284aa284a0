import type { Command } from 'commander';
import type { ShipCommandOptions } from '../../app/ship.ts';
import { addLedgerOption } from '../options/options.ts';
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
A lemma goes into the file that imports least and is seen by every goal that uses it, as general as its proof allows. Each is a branch
of its own; the goals that use it by name are branches on top. A theorem that says the same already is used instead.`,
    )
    .action(async (tickets: string[], options: ShipCommandOptions) => {
      process.exitCode = await (await import('../../app/promote.ts')).promoteCommand(tickets, options);
    });
}
