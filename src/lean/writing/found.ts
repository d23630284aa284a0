import type { Note } from '../../shared/events.ts';
import type { LeanGoal, Proved } from '../goals/goal.ts';

/** What a run has found so far. */
export interface Found {
  readonly proved: readonly Proved[];
  /** Names of goals that have a proof but for a theorem below them, which has none yet. */
  readonly waiting: ReadonlySet<string>;
}

/** The goals of a run while it goes on: what follows files may do with them. */
export interface RunningGoals {
  /** False if there is a goal of that name already. */
  add(goal: LeanGoal): boolean;
  withdraw(id: string, reason: string): void;
  note(level: Note['level'], text: string): void;
}
