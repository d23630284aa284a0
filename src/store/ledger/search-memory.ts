/**
 * Memory of searches across attempts and runs: the effect of tactics on proof states, and where a search stopped. These are
 * hints: limited in size, dropped oldest first, and run and judged again before they count.
 */
export interface SearchMemory {
  /** Known steps from these states, in no particular order. */
  stepsFrom(states: readonly string[]): Promise<TacticStep[]>;
  /** Writes in one transaction, so collect steps until the attempt ends. A repeated step replaces the old one. */
  noteSteps(steps: readonly TacticStep[]): Promise<void>;
  /** Where the last search of this goal stopped, most promising states first; empty if it was never searched. */
  frontier(goalHash: string, fingerprint: string): Promise<FrontierNode[]>;
  /** Replaces the goal's frontier. Empty: no state is left to explore. */
  saveFrontier(
    goalHash: string,
    fingerprint: string,
    start: SearchStart,
    nodes: readonly FrontierNode[],
  ): Promise<void>;
  /** The searches for a goal: for its whole statement, or for each hole of its proof. */
  searches(goalHash: string, fingerprint: string): Promise<Search[]>;
  /** Where the last searches stopped, newest first; those without an open state are left out. */
  frontiers(limit: number): Promise<SavedFrontier[]>;
  /** Results of retrieval, newest first: for one goal, or for all. */
  cachedPremises(limit: number, goalHash?: string): Promise<CachedPremises[]>;
  /**
   * A new result for a goal in the same environment replaces the old one, except for premises that have helped.
   */
  cachePremises(found: readonly CachedPremises[]): Promise<void>;
}

export interface CachedPremises {
  readonly goalHash: string;
  readonly fingerprint: string;
  /** The version of the encoder that made the vector. */
  readonly encoder: string;
  /** The goal as a vector: base64, a signed byte per number. */
  readonly vector: string;
  /** Names, best first. */
  readonly premises: readonly string[];
  /** Those that accepted proofs of the goal use. */
  readonly helped: readonly string[];
}

type StepOutcome =
  /** No goal is left. */
  | 'closed'
  | 'advanced'
  | 'failed'
  /** Its limit was too small; it may succeed with a larger one. */
  | 'timeout';

export interface TacticStep {
  /** 32 hexadecimal digits: the first half of the SHA-256 of the state, in its environment. */
  readonly state: string;
  readonly tactic: string;
  readonly outcome: StepOutcome;
  readonly cpuSeconds: number;
  /** The limit that it ran under. */
  readonly heartbeats: number;
  readonly premises: readonly string[];
  /** The resulting states, for `advanced`. */
  readonly next: readonly string[];
  /** Lean's error, or each state of `next` as printed, truncated to `stepWordsLength`. Undefined: not stored. */
  readonly words: readonly string[];
}
export const stepWordsLength = { failure: 160, state: 400 } as const;

/** The initial state of a search. */
export interface SearchStart {
  readonly state: string;
  /** As Lean prints them. */
  readonly goals: readonly string[];
}

export interface Search {
  readonly start: SearchStart;
  /** Where it stopped; empty if it was solved or exhausted. */
  readonly nodes: readonly FrontierNode[];
}

/** Where the search of a goal stopped, for another machine. */
export interface SavedFrontier extends Search {
  readonly goalHash: string;
  readonly fingerprint: string;
}

export interface FrontierNode {
  readonly state: string;
  /** The script that leads there from the goal. */
  readonly tactics: readonly string[];
  /** The open goals there, as Lean prints them. */
  readonly goals: readonly string[];
  /** The score that its search gave it; higher is better. */
  readonly score: number;
}

/** Size limits. 250,000 steps are about 50 MB. */
export interface SearchMemoryBounds {
  readonly steps: number;
  readonly frontiers: number;
  readonly nodesOfAFrontier: number;
  /** Goals with premises: about a kilobyte each. */
  readonly premises: number;
}
export const searchMemoryBounds: SearchMemoryBounds = {
  steps: 250_000,
  frontiers: 5000,
  nodesOfAFrontier: 256,
  premises: 5000,
};
