import { InvalidArgumentError, Option, type Command } from 'commander';
import { messageOf } from '../../core/errors.ts';
import { addWorkersOption, exitFrom, parseCount, parseSeconds } from '../options/options.ts';

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
  ).action(exitFrom(async () => (await import('../../app/bank.ts')).bank));
}

function parseRegExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}
