import type { PolicyModel } from '../../shared/events.ts';
import { trainModel, type GoalLesson } from './train.ts';

/** The bundled model, updated with the ledger's attempts, newest first. */
export function goOnLearning(before: PolicyModel, newestFirst: readonly PastAttempt[]): PolicyModel {
  const failed = new Map<string, Set<string>>();
  const lessons = newestFirst.toReversed().map((attempt): GoalLesson => {
    const { run, goal, arm, context, features, reward, cpuSeconds } = attempt;
    const key = JSON.stringify([run, goal]);
    const tried = failed.get(key) ?? new Set();
    const lesson = { arm, reward, cpuSeconds, weight: 1, goal: { context, features, failed: [...tried] } };
    if (reward === 0) failed.set(key, tried.add(arm));
    return lesson;
  });
  return lessons.length === 0 ? before : trainModel(lessons, before);
}
export interface PastAttempt {
  readonly run: string;
  readonly goal: string;
  readonly arm: string;
  readonly context: string;
  /** The features of the goal. */
  readonly features: Readonly<Record<string, number>>;
  readonly reward: number;
  readonly cpuSeconds: number;
}
