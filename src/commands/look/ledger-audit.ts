import { InvalidArgumentError, type Command } from 'commander';
import { addLedgerOption, exitFrom, parseSeed } from '../options/options.ts';

export function registerAudit(ledger: Command): void {
  addLedgerOption(
    ledger
      .command('audit')
      .description('Judge proofs again: all that an older judge accepted, and a random sample of the others')
      .option('--sample <share>', 'sample size, such as 5% or 0.05', parseShare, 0.05)
      .option('--second-kernel', 'also check with the second, independent kernel')
      .option('--seed <number>', 'random seed', parseSeed, 1),
  ).action(exitFrom(async () => (await import('../../app/ledger-audit.ts')).audit));
}

function parseShare(text: string): number {
  const [, number = '', percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (number === '' || share <= 0 || share > 1)
    throw new InvalidArgumentError('expected a share above 0 and up to 1, such as 5% or 0.05.');
  return share;
}
