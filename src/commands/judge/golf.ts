import { Argument, type Command } from 'commander';
import { addShipOptions } from '../options/ship.ts';
import { addLedgerOption, exitFrom, parseSeconds } from '../options/options.ts';

export function registerGolf(program: Command): void {
  addLedgerOption(
    addShipOptions(
      program
        .command('golf')
        .description('Find shorter proofs: fewest tactics, then characters, then time')
        .addArgument(new Argument('<what>', 'a Lean file, or a solved goal of the ledger by its name'))
        .option('--write', 'write them into the file after the gate has accepted the whole file')
        .option('--seconds <cpu>', 'CPU-seconds per proof', parseSeconds, 20)
        .option('--ship', 'put them on a branch and open a pull request'),
    ).option('--json', 'print one JSON object per theorem'),
  ).action(exitFrom(async () => (await import('../../app/golf.ts')).play));
}
