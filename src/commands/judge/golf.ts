import type { GolfOptions } from '../../app/golf.ts';
import { Argument, type Command } from 'commander';
import { addLedgerOption, parseSeconds } from '../options/options.ts';

export function registerGolf(program: Command): void {
  addLedgerOption(
    program
      .command('golf')
      .description('Find shorter proofs: fewest tactics, then characters, then time')
      .addArgument(new Argument('<what>', 'a Lean file, or a solved goal of the ledger by its name'))
      .option('--write', 'write them into the file after the gate has accepted the whole file')
      .option('--seconds <cpu>', 'CPU-seconds per proof', parseSeconds, 20)
      .option('--json', 'print one JSON object per theorem'),
  ).action(async (what: string, options: GolfOptions) => {
    process.exitCode = await (await import('../../app/golf.ts')).play(what, options);
  });
}
