import type { AttemptLimits, EffortRow, Slot } from './attempt.ts';

/** The events of a goal, and the decisions about it. */

export type DifficultyLabel = 'easy' | 'medium' | 'hard';

export interface GoalAdded {
  /** The name by which the user knows it; one goal per name in a run. */
  readonly goal: string;
  readonly statement: string;
  readonly preamble: string;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  /** What the user says its difficulty is, from 0 to 1, where that is a number. */
  readonly estimate?: number;
  readonly difficulty: number;
  readonly priority: number;
  /** FILE:LINE, where there is one. */
  readonly source: string | null;
  readonly allow_axioms: readonly string[];
  /** The goal that wants this one as a helper lemma; null for a goal that the user asked for. */
  readonly requester: string | null;
  /** What its domain needs to open it again. */
  readonly task: unknown;
  /** Its node in a blueprint, where it has one. */
  readonly node?: GoalNode;
}

/** The node of a blueprint that a goal belongs to, and how much hangs on it among what is not proved yet. */
export interface GoalNode {
  readonly id: string;
  /** 0 to 1: the share of the shortest ways that lead through it, the largest share being 1. */
  readonly criticality: number;
  /** 0 to 1: the share of the other unproved nodes that need it, directly or not. */
  readonly impact: number;
  /** How many unproved nodes it needs itself. */
  readonly waits: number;
  /** The longest chain of nodes, proved or not, that it depends on. */
  readonly depth: number;
}

export interface GoalOpened {
  readonly goal: string;
  readonly priority: number;
  readonly round: number;
}

export interface GoalExamined extends EffortRow {
  readonly goal: string;
  /** Goals of one context are alike to the bandit. */
  readonly context: string;
  /** What can be tried on it. */
  readonly arms: readonly ArmOffer[];
  /** What earlier runs have tried on the same goal, in the same environment, without success. */
  readonly tried: readonly TriedArm[];
  /** Identity of the goal: SHA-256 of its canonical form. */
  readonly goal_hash: string;
  readonly fingerprint: string;
  readonly features: Readonly<Record<string, number>>;
  readonly difficulty: number;
  readonly priority: number;
}

export interface GoalCharged extends EffortRow {
  readonly goal: string;
  /** Null where it was never elaborated. */
  readonly goal_hash: string | null;
  readonly reason: 'opening' | 'polishing' | 'refuting' | 'asking';
  /** For `refuting`: variables whose values were not tried, because they are types, functions or the like. */
  readonly untried?: readonly string[];
  /** For `refuting`: an instance was found, and why it could not be judged. It is looked for again. */
  readonly unjudged?: string;
}

export interface ArmOffer {
  readonly arm: string;
  readonly strategy: string;
  readonly slot: Slot;
  /** Changes whenever the arm would do something else; the loop guard compares it. */
  readonly signature: string;
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
  /** Arms of a lower stage run before those of a higher; ledgers of earlier versions do not have it. */
  readonly stage?: number;
  /** One attempt does all that the arm can: it has the whole budget in the first round. */
  readonly exhaustive?: boolean;
  /** It begins in this round, with the whole budget. */
  readonly round?: number;
}

export interface TriedArm {
  readonly arm: string;
  readonly signature: string;
  readonly limits: AttemptLimits;
}

export interface SlateStarted {
  readonly goal: string;
  readonly slot: Slot;
  readonly round: number;
  /** Of all arms together: the sum of their CPU-seconds, the most heartbeats. */
  readonly limits: AttemptLimits;
  /** The chosen arms, best first, with what the choice was made on. */
  readonly arms: readonly ArmChoice[];
  readonly reason: string;
}

export interface ArmChoice {
  readonly arm: string;
  readonly score: number;
  /** The mean reward so far, or the chance that the policy gives it. */
  readonly mean: number;
  readonly trials: number;
  /** What the policy expects it to cost, where it says so: then the score is chance ÷ CPU-seconds. */
  readonly seconds?: number;
  /** What this arm may cost; ledgers of earlier versions do not have it. */
  readonly limits?: AttemptLimits;
}

export interface GoalParked {
  readonly goal: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /**
   * It comes back with larger limits; when a slot is free; when its lemma is there; when the tool may work again; when the
   * run goes on.
   */
  readonly reason: 'next-round' | 'slots' | 'ticket' | 'broken' | 'paused';
  readonly ticket: string | null;
}

/** The same fields as the line of a goal in `--reporter json`. */
export interface GoalClosed {
  readonly goal: string;
  readonly solved: boolean;
  /** The instance that shows the goal to be false; null unless it was refuted. Never together with `solved`. */
  readonly refuted: string | null;
  readonly proof: string | null;
  readonly assurance: string | null;
  readonly strategy: string | null;
  readonly arm: string | null;
  readonly attempts: number;
  readonly cpu_seconds: number;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  /** `proved`, `refuted`, or why neither. */
  readonly reason: string;
}

/** The fields of a goal without a result. */
export const unsolved = {
  solved: false,
  refuted: null,
  proof: null,
  assurance: null,
  strategy: null,
  arm: null,
  axioms: [],
  assumes: [],
} satisfies Partial<GoalClosed>;
