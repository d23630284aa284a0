import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { ExitCode } from '../core/exit.ts';
import type { InterruptedRun } from '../core/experience.ts';
import type { LeanGoal } from '../lean/goals/goal.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
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
  ).action(async (options: ResumeOptions, command: Command) => {
    // a run goes on with its own seed, unless somebody wants another
    const isGiven = command.getOptionValueSource('seed') !== 'default';
    process.exitCode = await resume(options, isGiven ? options.seed : undefined);
  });
}

async function resume(options: ResumeOptions, seed: number | undefined): Promise<ExitCode> {
  const { ledgerOf, settingsFrom } = await import('../app.ts');
  const { exitCodeOf, prove } = await import('./proving.ts');
  const { imageFor } = await import('../lean/toolchain/embedded/image-choice.ts');
  const settings = settingsFrom(settingFlags({ ...options }));
  const interrupted = await readInterrupted();
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
      seed: seed ?? interrupted.seed,
      timeout: options.timeout ?? null,
      resumes: run,
    },
    image: imageFor(goals.map(({ preamble }) => preamble).join('\n')),
    goals: async () => ({ goals, unreadable: [] }),
  });
  return exitCodeOf(finished);

  async function readInterrupted(): Promise<InterruptedRun> {
    using ledger = ledgerOf(settings, { readOnly: true });
    const found = ledger.interruptedRun();
    if (found && (await isAlive(ledger, found.run)))
      throw new UserError(
        'still-running',
        `the run ${found.run} is still going on, in another process`,
        'Stop that one first, or work on other goals with orch run.',
      );
    if (found?.command === 'arc solve')
      throw new UserError(
        'arc-run',
        `the run ${found.run} was about ARC tasks`,
        `Go on with: orch arc solve ${found.sources[0] ?? 'TASKS'} --resume`,
      );
    if (found) return found;
    throw new UserError('nothing-to-resume', 'no run was interrupted: there is nothing to go on with');
  }
}

/** A run that lives says so once a second. One that fell silent a moment ago is listened to for two. */
async function isAlive(ledger: Ledger, run: string): Promise<boolean> {
  const last = (): number => ledger.samples(1).find((sample) => sample.run === run)?.at ?? 0;
  const before = last();
  if (systemClock.date().getTime() - before > 3 * sampleMs) return false;
  await sleep(2 * sampleMs);
  return last() > before;
}
const sampleMs = 1000;
