import type { InFlightAttempt } from '../../shared/api.ts';
import type { ArmRecord, DifficultyLabel, RunConfig, TriedArm } from '../../shared/events.ts';
import type { Owner } from '../../core/owner.ts';
import type { SearchMemory } from './search-memory.ts';
import type { PastAttempt } from '../../core/policy/past.ts';

/** Data of earlier runs that a new one can use; the engine knows no database. */
export interface Experience extends SearchMemory {
  /** The bandit's records, one per arm and context. */
  armRecords(): Promise<ArmRecord[]>;
  /**
   * Arms that have definitely failed on this goal, for the loop guard. Timeout, cancelled, blocked and broken
   * attempts do not
   * count: they carry no information about the arm.
   */
  tried(goalHash: string, fingerprint: string): Promise<TriedArm[]>;
  /** Proofs that the gate accepted at `replayed` or better, newest first. Hints: each is judged again before it counts. */
  provedBefore(goalHash: string): Promise<KnownProof[]>;
  /** Proofs of the goal from others that were not proved then, newest first. */
  provedFromOthers(goalHash: string): Promise<string[]>;
  /** Hashes of the goals for which a counterexample was found. */
  refutedBefore(): Promise<string[]>;
  goalHistory(goalHash: string): Promise<GoalHistory>;
  /** Premises that accepted proofs have used, newest first. */
  premiseUses(limit: number): Promise<PremiseUse[]>;
  /** Those of the premises that searches have tried recently. */
  premiseRecord(names: readonly string[]): Promise<PremiseTrial[]>;
  /** Goals that runs have closed, newest first, for learning difficulty. */
  lessons(limit: number): Promise<Lesson[]>;
  /** Attempts that are informative about their arm, newest first; policies keep learning from them. */
  armLessons(limit: number): Promise<PastAttempt[]>;
  /**
   * Runs that left goals open and that no other run continues, newest first: never finished, timed out, drained, or failed. One
   * that never finished may still be running: its owner shows that.
   */
  unfinishedRuns(): Promise<UnfinishedRun[]>;
  /** The goals that a run left open, in the order in which they were added. */
  openGoals(run: string): Promise<OpenGoal[]>;
  /** The attempts of a run that started and never ended. */
  inFlight(run: string): Promise<InFlightAttempt[]>;
}

interface KnownProof {
  readonly proof: string;
  readonly fingerprint: string;
  readonly strategy: string;
  readonly arm: string;
  /** The judge that accepted it; null before judges had versions. */
  readonly judge: string | null;
}

export interface PremiseUse {
  readonly statement: string;
  readonly premises: readonly string[];
}

export interface PremiseTrial {
  readonly name: string;
  /** Number of steps that named it, and how many of them made progress. */
  readonly tried: number;
  readonly helped: number;
}

export interface GoalHistory {
  readonly attempts: number;
  /** Definite failures. */
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

export interface UnfinishedRun {
  readonly run: string;
  readonly command: string;
  readonly seed: number;
  readonly started: number;
  /** Null: no end was recorded. */
  readonly reason: string | null;
  readonly sources: readonly string[];
  readonly config: RunConfig;
  /** All settings of the run. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Other options of its command. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly openGoals: number;
  /** The process that works on it and its last heartbeat; null for a finished run. */
  readonly owner: (Owner & { readonly heard: number }) | null;
}

/** A goal as it was added; a resuming run adds it again. */
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
  /** The data with which its domain opens it again. */
  readonly task: unknown;
}
