import type { Note } from '../../shared/events.ts';
import type { LeanGoal, Proved } from '../goals/goal.ts';

/** The proofs that a run has found so far. */
export interface RunProofs {
  readonly proved: readonly Proved[];
  /** Proofs from open theorems above their goals. */
  readonly given?: readonly Proved[];
  /** Names of goals whose proof depends on a theorem that has none yet. */
  readonly waiting: ReadonlySet<string>;
}

/** The goals of an active run, for code that follows changes of files. */
export interface RunningGoals {
  /** False if there is a goal of that name already. */
  add(goal: LeanGoal): boolean;
  withdraw(id: string, reason: string): void;
  note(level: Note['level'], text: string): void;
}
