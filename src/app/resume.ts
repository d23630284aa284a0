import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import type { ExitCode } from '../core/exit.ts';
import type { OpenGoal, UnfinishedRun } from '../store/ledger/experience.ts';
import type { RunEvent, RunFinished } from '../shared/events.ts';
import { LedgerConflict, type Ledger } from '../store/ledger/ledger.ts';
import { runCommand, solveCommand } from './arc/solve-defaults.ts';
import { isUnderWay, settingsOf } from './unfinished-runs.ts';
import { resultsFolder } from './bank.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { type Proving, exitCodeOf, prove } from './reported-run.ts';
import { leanGoalIn } from '../lean/goals/goal.ts';
import { settingsFrom } from './settings.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { ledgerOf } from './ledger.ts';
import { plural } from '../shared/plural.ts';

export interface ResumeOptions extends RunOptions {
  readonly timeout?: number;
}

export async function resume(
  wanted: string | undefined,
  options: ResumeOptions,
  seed: number | undefined,
): Promise<ExitCode> {
  const flags = settingFlags({ ...options });
  const { unfinished, openGoals, lost, before } = await readUnfinished(settingsFrom(flags), wanted);
  const { run, command, sources, config } = unfinished;
  process.stderr.write(
    `resuming ${run} (${command}): ${plural(openGoals.length, 'goal is', 'goals are')} open; ` +
      `${plural(lost, 'attempt was', 'attempts were')} interrupted and will start again; everything else is in the ledger\n`,
  );
  const settings = settingsFrom(flags, settingsOf(unfinished));
  if (command === runCommand)
    return await (await import('./arc/run.ts')).runAgain(unfinished, settings, options.reporter);
  if (command === solveCommand)
    return await (await import('./arc/solve.ts')).solveAgain(unfinished, settings, options.reporter);
  const goals = openGoals.map(({ task }) => leanGoalIn(task));
  const isRemote = unfinished.options['workers'] === 'remote';
  const finished = await proveOnce({
    settings,
    reporter: options.reporter,
    choice: {
      command,
      sources,
      seed: seed ?? unfinished.seed,
      timeout: options.timeout ?? config.timeout,
      resumes: run,
      ...(isRemote && { options: unfinished.options }),
    },
    workers: isRemote ? 'remote' : 'here',
    image: imageFor(...goals),
    goals: async () => ({ goals, unreadable: [] }),
    before,
    ...(command === 'bank' && { results: { folder: resultsFolder(), kind: command } }),
  });
  return exitCodeOf(finished);

  /** If two processes resume at once, the ledger lets one win. */
  async function proveOnce(proving: Proving): Promise<RunFinished | undefined> {
    try {
      return await prove(proving);
    } catch (error) {
      if (!(error instanceof LedgerConflict)) throw error;
      throw new UserError(
        'still-running',
        `another process has already continued the run ${run}`,
        undefined,
        {
          cause: error,
        },
      );
    }
  }
}

/** The data that a run needs to continue another one. */
interface Unfinished {
  readonly unfinished: UnfinishedRun;
  readonly openGoals: readonly OpenGoal[];
  /** Attempts that were in flight. */
  readonly lost: number;
  /** Its record, including the runs that it continued. */
  readonly before: readonly RunEvent[];
}

async function readUnfinished(settings: Settings, wanted: string | undefined): Promise<Unfinished> {
  await using ledger = await ledgerOf(settings, { readOnly: true });
  // a worker's goals belong to the run that sent them
  const all = (await ledger.experience.unfinishedRuns()).filter(
    ({ run, command }) => run === (wanted ?? run) && command !== 'worker',
  );
  const unfinished = all.find((run) => !isUnderWay(run));
  if (unfinished)
    return {
      unfinished,
      openGoals: await ledger.experience.openGoals(unfinished.run),
      lost: (await ledger.experience.inFlight(unfinished.run)).length,
      before: await historyOf(ledger, unfinished.run),
    };
  const [living] = all;
  if (living)
    throw new UserError(
      'still-running',
      `the run ${living.run} is still active in another process`,
      'Stop that one first, or work on other goals with orch run.',
    );
  if (wanted !== undefined)
    throw new UserError(
      'nothing-to-resume',
      `the run ${wanted} has no open goals: there is nothing to resume`,
      'orch retry GOAL tries one of its goals again.',
    );
  throw new UserError('nothing-to-resume', 'no run was interrupted: there is nothing to resume');
}

/** The chain of runs that this one continues, oldest first. */
async function historyOf(ledger: Ledger, run: string): Promise<RunEvent[]> {
  const row = await ledger.views.run(run);
  const earlier = row?.resumes ? await historyOf(ledger, row.resumes) : [];
  return [...earlier, ...(await ledger.journal.eventsOf(run))];
}
