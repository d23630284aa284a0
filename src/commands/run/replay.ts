import type { Command } from 'commander';
import { addLedgerOption, addProjectOptions, exitFrom } from '../options/options.ts';

export function registerReplay(program: Command): void {
  addProjectOptions(
    addLedgerOption(
      program
        .command('replay')
        .description('Rerun one attempt of an earlier run with the same arm, goal, limits and seed')
        .argument('<attempt>', 'attempt id, as shown by `orch why` and the dashboard')
        .option('--json', 'print one JSON object'),
    ),
  )
    .addHelpText(
      'after',
      '\nNothing is written, and the search memory is not used.\nExit code: 0 for the same outcome, 1 for a different one, 3 if it could not run.',
    )
    .action(exitFrom(async () => (await import('../../app/replay.ts')).replay));
}
