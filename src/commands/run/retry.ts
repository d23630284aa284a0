import type { Command } from 'commander';
import { addRunOptions, exitFrom, timeoutOption } from '../options/options.ts';

export function registerRetry(program: Command): void {
  addRunOptions(
    program
      .command('retry')
      .description('Retry goals of an earlier run, ignoring earlier failures')
      .argument('<goals...>', 'names of goals, or the ends of them')
      .option('--run <run>', 'run id (default: the latest with this goal)')
      .option(...timeoutOption),
  ).action(exitFrom(async () => (await import('../../app/retry.ts')).retry));
}
