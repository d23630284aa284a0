import type { ArmRecord, DifficultyLabel, TriedArm } from '../shared/events.ts';

/** What the ledger knows of earlier runs that a new one can use; the engine knows no database. */
export interface Experience {
  /** What the bandit knows, an arm in a context each. */
  armRecords(): ArmRecord[];
  /**
   * What has definitely failed on this goal, for the loop guard. Timeout, cancelled, blocked and broken attempts do not
   * count: they say nothing about what the arm can do.
   */
  tried(goalHash: string, fingerprint: string): TriedArm[];
  /** Proofs that the gate accepted at `replayed` or better, newest first. Hints: each is judged again before it counts. */
  provedBefore(goalHash: string): KnownProof[];
  goalHistory(goalHash: string): GoalHistory;
  /** Goals that runs have closed, newest first: what difficulty is learned from. */
  lessons(limit: number): Lesson[];
  /** The newest run. */
  lastRun(): RunRecord | undefined;
  /**
   * The newest run that no other one continues and that left goals open: never finished (killed), drained, or failed. A run
   * that another process works on right now looks the same.
   */
  interruptedRun(): InterruptedRun | undefined;
}

export interface KnownProof {
  readonly proof: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
}

export interface GoalHistory {
  readonly attempts: number;
  /** Definite ones. */
  readonly failures: number;
  readonly proofs: number;
  readonly cpuSeconds: number;
}

export interface Lesson {
  readonly features: Readonly<Record<string, number>>;
  readonly label: DifficultyLabel | null;
  readonly solved: boolean;
  readonly cpuSeconds: number;
}

export interface RunRecord {
  readonly run: string;
  readonly command: string;
  readonly seed: number;
  readonly toolchain: string;
  readonly started: number;
  /** Null: it never said that it ended. */
  readonly reason: string | null;
  readonly sources: readonly string[];
}

export interface InterruptedRun extends RunRecord {
  readonly openGoals: readonly OpenGoal[];
  /** Attempts that were lost. */
  readonly inFlight: readonly InFlight[];
}

/** A goal as it was added; whoever goes on adds it to the new run. */
export interface OpenGoal {
  readonly goal: string;
  readonly statement: string;
  readonly preamble: string;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  readonly difficulty: number;
  readonly priority: number;
  readonly source: string | null;
  readonly allowAxioms: readonly string[];
  /** What its domain needs to open it again. */
  readonly task: unknown;
}

export interface InFlight {
  readonly attempt: string;
  readonly goal: string;
  readonly strategy: string;
  readonly arm: string;
}
