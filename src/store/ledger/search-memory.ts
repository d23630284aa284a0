/**
 * What searches remember between attempts and runs: what tactics did to proof states, and where a search stopped. Hints,
 * bounded in size and forgotten oldest first; whatever is taken from here is run and judged again before it counts.
 */
export interface SearchMemory {
  /** What is known about these states, in no particular order. */
  stepsFrom(states: readonly string[]): Promise<TacticStep[]>;
  /** Written in one transaction: cheap for hundreds, so gather them until the attempt ends. A step seen again replaces the old one. */
  noteSteps(steps: readonly TacticStep[]): Promise<void>;
  /** Where the last search of this goal stopped, the most promising first; nothing for a goal that none has searched. */
  frontier(goalHash: string, fingerprint: string): Promise<FrontierNode[]>;
  /** Replaces the goal's frontier; an empty one says that nothing is left to look into. */
  saveFrontier(
    goalHash: string,
    fingerprint: string,
    start: SearchStart,
    nodes: readonly FrontierNode[],
  ): Promise<void>;
  /** The searches of a goal: of its whole statement, or of each hole of its proof. */
  searches(goalHash: string, fingerprint: string): Promise<Search[]>;
}

type StepOutcome =
  /** No goal is left. */
  | 'closed'
  | 'advanced'
  | 'failed'
  /** Its limit was too small: with a larger one it may do something else. */
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
  /** The states that it left, for `advanced`. */
  readonly next: readonly string[];
  /** What Lean said: why it failed, or each of `next` as it prints it; cut to `stepWordsLength`. None: it was not kept. */
  readonly words: readonly string[];
}
export const stepWordsLength = { failure: 160, state: 400 } as const;

/** Where a search began. */
export interface SearchStart {
  readonly state: string;
  /** As Lean prints them. */
  readonly goals: readonly string[];
}

export interface Search {
  readonly start: SearchStart;
  /** Where it stopped; empty: it was solved, or nothing is left to try. */
  readonly nodes: readonly FrontierNode[];
}

export interface FrontierNode {
  readonly state: string;
  /** The script that leads there from the goal. */
  readonly tactics: readonly string[];
  /** What is open there, as Lean prints it. */
  readonly goals: readonly string[];
  /** As the search that stored it scored it; higher is better. */
  readonly score: number;
}

/** How much is kept. 250,000 steps are about 50 MB. */
export interface SearchMemoryBounds {
  readonly steps: number;
  readonly frontiers: number;
  readonly nodesOfAFrontier: number;
}
export const searchMemoryBounds: SearchMemoryBounds = {
  steps: 250_000,
  frontiers: 5000,
  nodesOfAFrontier: 256,
};
