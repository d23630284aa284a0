import type { Checkpoint } from './checkpoints.ts';

/** What a run of the loop is asked for. All of it is part of the run's key; nothing here depends on the machine. */
export interface LoopOptions {
  readonly iters: number;
  readonly candidateK: number;
  readonly editK: number;
  readonly editTopM: number;
  /** One budget per task: drafts, attribution and edits are paid from it. */
  readonly maxNodes: number;
  /** Whether the built-in teacher is asked. */
  readonly teacher: boolean;
  readonly seed: number;
  readonly describer: Checkpoint;
  readonly ruler: Checkpoint;
  /** The student; null for none. */
  readonly enhancedRuler: Checkpoint | null;
  readonly memory: MemoryLimits;
}

/** How much memory hands out for a task. */
export interface MemoryLimits {
  readonly k: number;
  readonly episodes: number;
  readonly cases: number;
  readonly solvedExamples: number;
  readonly repairCases: number;
  readonly maxBytes: number;
}

/** The default of --max-nodes: what a whole search of the teacher may take, and half as much again for edits. */
export const defaultMaxNodes = 1_110_000;

/** The share of the nodes that drafts may take when edits are to follow. */
export const draftShare = 2 / 3;
