import type { BankOptions } from '../../app/bank.ts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { messageOf } from '../../core/errors.ts';
import { addWorkersOption, parseSeconds } from '../options/options.ts';

export function registerBank(program: Command): void {
  addWorkersOption(
    program
      .command('bank')
      .description(
        'Prove the lemma bank and write bank-TIME.json to bench/results (.orch/results outside a clone)',
      )
      .option('--timeout <seconds>', 'wall-clock limit for the whole run, set-up excluded', parseSeconds, 120)
      .option('--goals <count>', 'first N goals only', parseCount)
      .addOption(
        new Option('--only <label>', 'only those of one difficulty').choices(['easy', 'medium', 'hard']),
      )
      .option('--filter <regexp>', 'only goals whose name matches', parseRegExp),
  ).action(async (options: BankOptions) => {
    process.exitCode = await (await import('../../app/bank.ts')).bank(options);
  });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('expected a whole number above 0.');
  return count;
}

function parseRegExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}
