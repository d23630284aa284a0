import type { Clock } from '../../../core/clock.ts';
import type { Views } from '../ledger.ts';
import { selectControlRequests, selectControls, selectIsPaused } from './controls.ts';
import { selectLastSample, selectNotes, selectProgress, selectRunSamples, selectScores } from './course.ts';
import {
  selectGoalDetail,
  selectGoalList,
  selectGoals,
  selectGoalStates,
  selectUncheckedGoals,
} from './goals.ts';
import type { Reader } from './reader.ts';
import { selectCpuSeconds, selectHeard, selectRun, selectRunning, selectRuns } from './runs.ts';
import { selectArms, selectArmsOf, selectCacheEntries, selectHours, selectTotals } from './statistics.ts';

/** Implements `Views`: each line refers to a statement in a neighbouring file. */
export function ledgerViews(reader: Reader, clock: Clock): Views {
  return {
    runs: async (limit) => await selectRuns(reader, limit),
    run: async (run) => await selectRun(reader, run),
    goalsOf: async (run) => await selectGoals(reader, run),
    uncheckedGoals: async (judge) => await selectUncheckedGoals(reader, judge),
    goal: async (run, goal) => await selectGoalDetail(reader, run, goal),
    goalList: async (run, goals) => await selectGoalList(reader, run, goals),
    goalStates: async (run) => await selectGoalStates(reader, run),
    arms: async (since) => await selectArms(reader, since, clock.date().getTime()),
    armsOf: async (run) => await selectArmsOf(reader, run),
    strategiesByHour: async (since) => await selectHours(reader, since),
    totals: async () => await selectTotals(reader),
    cacheEntries: async (limit) => await selectCacheEntries(reader, limit),
    cpuSeconds: async () => await selectCpuSeconds(reader),
    running: async (run) => await selectRunning(reader, run),
    heard: async (run) => await selectHeard(reader, run),
    samplesOf: async (run, points) => await selectRunSamples(reader, run, points),
    lastSampleOf: async (run) => await selectLastSample(reader, run),
    scoresOf: async (run, points) => await selectScores(reader, run, points),
    progressOf: async (run, points) => await selectProgress(reader, run, points),
    notesOf: async (run, limit) => await selectNotes(reader, run, limit),
    controlsOf: async (run, limit) => await selectControls(reader, run, limit),
    isPaused: async (run) => await selectIsPaused(reader, run),
    controlRequests: async (run, since) => await selectControlRequests(reader, run, since),
  };
}
