import type { Command } from 'commander';
import type { ExitCode } from '../../core/exit.ts';
import type { LeanGoal } from '../../lean/goals/goal.ts';
import { findGoal } from '../../store/ledger/find-goal.ts';
import { addRunOptions, parseSeconds } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import type { RunOptions } from '../../app/run.ts';

interface RetryOptions extends RunOptions {
  readonly run?: string;
  readonly timeout?: number;
}

export function registerRetry(program: Command): void {
  addRunOptions(
    program
      .command('retry')
      .description('Retry a goal of an earlier run, ignoring earlier failures')
      .argument('<goal>', 'name of the goal, or the end of it')
      .option('--run <run>', 'run id (default: the latest with this goal)')
      .option('--timeout <seconds>', 'wall-clock limit, set-up excluded (default: none)', parseSeconds),
  ).action(async (goal: string, options: RetryOptions) => {
    process.exitCode = await retry(goal, options);
  });
}

async function retry(name: string, options: RetryOptions): Promise<ExitCode> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { exitCodeOf, prove } = await import('../../app/session.ts');
  const { imageFor } = await import('../../lean/project/image-choice.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  const task = await (async () => {
    await using ledger = await ledgerOf(settings, { readOnly: true });
    const { run, goal } = await findGoal(ledger, name, options.run);
    return (await ledger.views.goal(run, goal))?.task as LeanGoal;
  })();
  const finished = await prove({
    settings,
    reporter: options.reporter,
    choice: {
      command: 'run',
      sources: [task.source ?? task.id],
      seed: options.seed,
      timeout: options.timeout ?? null,
      forgetsTried: true,
    },
    image: imageFor(task),
    goals: async () => ({ goals: [task], unreadable: [] }),
  });
  return exitCodeOf(finished);
}
