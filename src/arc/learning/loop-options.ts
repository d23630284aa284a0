import type { Checkpoint } from './checkpoints.ts';

/** The options of a run of the loop. All of them are part of the run's key; none depends on the machine. */
export interface LoopOptions {
  readonly iters: number;
  readonly candidateK: number;
  readonly editK: number;
  readonly editTopM: number;
  /** The budget per task, for drafts, attribution and edits. */
  readonly maxNodes: number;
  /** Whether the built-in teacher is used. */
  readonly teacher: boolean;
  readonly seed: number;
  readonly describer: Checkpoint;
  readonly ruler: Checkpoint;
  /** The student; null for none. */
  readonly enhancedRuler: Checkpoint | null;
  readonly memory: MemoryLimits;
}

/** The size limit of memory items per task. */
export interface MemoryLimits {
  readonly k: number;
  readonly episodes: number;
  readonly cases: number;
  readonly solvedExamples: number;
  readonly repairCases: number;
  readonly maxBytes: number;
}

/** The default of --max-nodes: the nodes of a full teacher search, plus half as many for edits. */
export const defaultMaxNodes = 1_110_000;

/** The share of the nodes that drafts may use if edits follow. */
export const draftShare = 2 / 3;
