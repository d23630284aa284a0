import type { AttemptLimits, EffortRow, Slot } from './attempt.ts';

/** Events of a goal, and decisions about it. */

export type DifficultyLabel = 'easy' | 'medium' | 'hard';

export interface GoalAdded {
  /** The name by which the user knows it; one goal per name in a run. */
  readonly goal: string;
  readonly statement: string;
  readonly preamble: string;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  /** The difficulty given by the user, from 0 to 1, if it is a number. */
  readonly estimate?: number;
  /** Its CPU limit as a multiple of `goal_cpu`; default: 1. */
  readonly relax?: number;
  readonly difficulty: number;
  readonly priority: number;
  /** FILE:LINE, if known. */
  readonly source: string | null;
  readonly allow_axioms: readonly string[];
  /** The goal that requested this helper lemma; null for a goal of the user. */
  readonly requester: string | null;
  /** The data with which its domain opens it again. */
  readonly task: unknown;
  /** Its node in a blueprint, if any. */
  readonly node?: GoalNode;
}

/** The blueprint node of a goal, and how much unproved work depends on it. */
export interface GoalNode {
  readonly id: string;
  /** 0 to 1: the share of shortest paths through it, scaled so that the largest is 1. */
  readonly criticality: number;
  /** 0 to 1: the share of other unproved nodes that depend on it, directly or not. */
  readonly impact: number;
  /** Number of unproved nodes it depends on. */
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
  /** The bandit treats goals of the same context alike. */
  readonly context: string;
  /** The arms that can be tried on it. */
  readonly arms: readonly ArmOffer[];
  /** Failed attempts of earlier runs on the same goal in the same environment. */
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
  /** Null if it was never elaborated. */
  readonly goal_hash: string | null;
  readonly reason: 'opening' | 'polishing' | 'refuting' | 'asking';
  /** For `refuting`: variables without tried values, such as types and functions. */
  readonly untried?: readonly string[];
  /** For `refuting`: why a counterexample could not be judged. It is searched for again. */
  readonly unjudged?: string;
}

export interface ArmOffer {
  readonly arm: string;
  readonly strategy: string;
  readonly slot: Slot;
  /** Hash of what the arm does, compared by the loop guard. */
  readonly signature: string;
  /** Maximum cost of one attempt. */
  readonly budget: AttemptLimits;
  /** Arms of a lower stage run first; missing in older ledgers. */
  readonly stage?: number;
  /** One attempt does everything, so it has the whole budget in the first round. */
  readonly exhaustive?: boolean;
  /** It starts in this round, with the whole budget. */
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
  /** Of all arms: the sum of their CPU-seconds, the maximum of their heartbeats. */
  readonly limits: AttemptLimits;
  /** The chosen arms, best first, with the basis of the choice. */
  readonly arms: readonly ArmChoice[];
  readonly reason: string;
}

export interface ArmChoice {
  readonly arm: string;
  readonly score: number;
  /** The mean reward so far, or the policy's estimate of its chance. */
  readonly mean: number;
  readonly trials: number;
  /** The policy's estimate of its cost, if any: then the score is chance ÷ CPU-seconds. */
  readonly seconds?: number;
  /** Budget of this arm; missing in older ledgers. */
  readonly limits?: AttemptLimits;
}

export interface GoalParked {
  readonly goal: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /**
   * It returns with larger limits; when a slot is free; when its lemma is proved; when goals that its proof takes as given are closed; when
   * the tool may work again; when the run resumes.
   */
  readonly reason: 'next-round' | 'slots' | 'ticket' | 'given' | 'broken' | 'paused';
  readonly ticket: string | null;
}

/** Same fields as a goal's line in `--reporter json`. */
export interface GoalClosed {
  readonly goal: string;
  readonly solved: boolean;
  /** The counterexample; null unless the goal was refuted. Never together with `solved`. */
  readonly refuted: string | null;
  readonly proof: string | null;
  readonly assurance: string | null;
  readonly strategy: string | null;
  readonly arm: string | null;
  readonly attempts: number;
  readonly cpu_seconds: number;
  readonly axioms: readonly string[];
  readonly assumes: readonly string[];
  /** A proof from theorems that are still open. The goal is not solved, but follows from them. */
  readonly given?: { readonly proof: string; readonly assumes: readonly string[] };
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
