import type { ExitCode } from '../core/exit.ts';
import { findGoal } from '../store/ledger/find-goal.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { leanGoalIn, type LeanGoal } from '../lean/goals/goal.ts';
import { ledgerOf } from './ledger.ts';
import { settingsFrom } from './settings.ts';
import { exitCodeOf, prove } from './reported-run.ts';
import { imageFor } from '../lean/project/image-choice.ts';

export interface RetryOptions extends RunOptions {
  readonly run?: string;
  readonly timeout?: number;
}

export async function retry(names: readonly string[], options: RetryOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options }));
  const tasks = await (async () => {
    await using ledger = await ledgerOf(settings, { readOnly: true });
    const found: LeanGoal[] = [];
    for (const name of new Set(names)) {
      const { run, goal } = await findGoal(ledger, name, options.run);
      found.push(leanGoalIn((await ledger.views.goal(run, goal))?.task));
    }
    return found;
  })();
  const finished = await prove({
    settings,
    reporter: options.reporter,
    choice: {
      command: 'run',
      sources: tasks.map(({ source, id }) => source ?? id),
      seed: options.seed,
      timeout: options.timeout ?? null,
      forgetsTried: true,
    },
    image: imageFor(...tasks),
    goals: async () => ({ goals: tasks, unreadable: [] }),
  });
  return exitCodeOf(finished);
}
