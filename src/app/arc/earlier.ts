import type { EventOf } from '../../shared/events.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { isUnderWay } from '../unfinished-runs.ts';

/** An attempt that has ended, from the ledger or the bus. */
export type EndedAttempt = Pick<
  EventOf<'attempt-finished'>,
  'goal' | 'outcome' | 'tactics' | 'wall_seconds' | 'cpu_seconds'
>;

/** Attempts of earlier runs with the same command, tasks and flags, identified by the run's second source. */
export async function* earlierAttempts(
  { views }: Ledger,
  command: string,
  sources: readonly string[],
): AsyncGenerator<EndedAttempt> {
  const all = await views.runs(Number.MAX_SAFE_INTEGER);
  const runs = all.filter((run) => run.command === command);
  for (const { run } of runs.filter((one) => one.sources[1] === sources[1]))
    for (const { goal } of await views.goalStates(run))
      for (const attempt of (await views.goal(run, goal))?.attempt_rows ?? []) yield { ...attempt, goal };
}

/** The run of the same tasks and flags that this one continues: the newest without a live process. */
export async function interrupted(
  { experience }: Ledger,
  sources: readonly string[],
): Promise<string | undefined> {
  const all = await experience.unfinishedRuns();
  return all.find((one) => one.sources[1] === sources[1] && !isUnderWay(one))?.run;
}
