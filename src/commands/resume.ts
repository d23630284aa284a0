import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';
import type { ExitCode } from '../core/exit.ts';
import type { LeanGoal } from '../lean/goals/goal.ts';
import { addRunOptions, parseSeconds, settingFlags, type RunOptions } from './options.ts';

interface ResumeOptions extends RunOptions {
  readonly timeout?: number;
}

export function registerResume(program: Command): void {
  addRunOptions(
    program
      .command('resume')
      .description('Go on with the newest run that was interrupted')
      .option(
        '--timeout <seconds>',
        'wall clock of the whole run, set-up excluded (default: none)',
        parseSeconds,
      ),
  ).action(async (options: ResumeOptions) => {
    process.exitCode = await resume(options);
  });
}

async function resume(options: ResumeOptions): Promise<ExitCode> {
  const { ledgerOf, settingsFrom } = await import('../app.ts');
  const { exitCodeOf, prove } = await import('./proving.ts');
  const { imageFor } = await import('../lean/toolchain/embedded/image-choice.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  const interrupted = readInterrupted();
  const { run, sources, openGoals, inFlight } = interrupted;
  process.stderr.write(
    `resuming ${run} (${interrupted.command}): ${openGoals.length} goals are open; ` +
      `${inFlight.length} attempts were in flight and start again; everything else is in the ledger\n`,
  );
  const goals = openGoals.map(({ task }) => task as LeanGoal);
  const finished = await prove({
    settings,
    reporter: options.reporter,
    choice: {
      command: 'resume',
      sources,
      seed: options.seed,
      timeout: options.timeout ?? null,
      resumes: run,
    },
    image: imageFor(goals.map(({ preamble }) => preamble).join('\n')),
    goals: async () => ({ goals, unreadable: [] }),
  });
  return exitCodeOf(finished);

  function readInterrupted() {
    using ledger = ledgerOf(settings, { readOnly: true });
    const found = ledger.interruptedRun();
    if (found) return found;
    throw new UserError('nothing-to-resume', 'no run was interrupted: there is nothing to go on with');
  }
}
