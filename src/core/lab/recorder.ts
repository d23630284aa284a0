import { attemptAlone, type AloneParts } from '../scheduler/single-attempt.ts';
import { seedFrom } from '../rng.ts';
import type { Strategy } from '../strategy.ts';
import type { ArmResult, LabRow } from './record.ts';

export interface Recording {
  /** Cost limit of one attempt. */
  readonly cpuSeconds: number;
  readonly seed: number;
  /** Skips arms that no policy would run: if a cheap arm solves the goal, all others. */
  readonly onlyReached: boolean;
}

/** Runs every arm on a goal, each alone, to its limit, in a fresh domain; undefined if the goal does not open. */
export async function recordGoal<Goal, Work, Artifact, Trace, Evidence>(
  newParts: () => AloneParts<Goal, Work, Artifact, Trace, Evidence>,
  goal: Goal,
  id: string,
  strategies: readonly Strategy<Work, Artifact, Trace>[],
  { cpuSeconds, seed, onlyReached }: Recording,
): Promise<Pick<LabRow, 'context' | 'features' | 'arms'> | undefined> {
  const none = { limits: { cpu_seconds: 0, heartbeats: 0 }, seed: 0 };
  const asked = await attemptAlone(newParts(), goal, strategies, '', none);
  if (asked.kind !== 'no-arm') return undefined;
  const cheapest = Math.min(...asked.offers.map(({ stage }) => stage));
  const arms: ArmResult[] = [];
  let facts: Pick<LabRow, 'context' | 'features'> = { context: '', features: {} };
  for (const { name, stage, limits: whole } of asked.offers.toSorted((one, two) => one.stage - two.stage)) {
    const isSolved = arms.some((one) => one.solved && one.stage === cheapest);
    if (onlyReached && stage > cheapest && isSolved) continue;
    // less time means smaller steps too, as in the rounds of a run
    const share = Math.min(1, cpuSeconds / whole.cpu_seconds);
    const limits = {
      cpu_seconds: whole.cpu_seconds * share,
      heartbeats: Math.round(whole.heartbeats * share),
    };
    const run = { limits, seed: seedFrom(seed, id, name) };
    const answer = await attemptAlone(newParts(), goal, strategies, name, run);
    if (answer.kind !== 'attempted') continue;
    const { outcome, cpuSeconds: spent, judgeSeconds } = answer.attempt;
    ({ facts } = answer.attempt);
    arms.push({ arm: name, stage, solved: outcome === 'solved', cpu_seconds: spent + judgeSeconds });
  }
  return { context: facts.context, features: facts.features, arms };
}
