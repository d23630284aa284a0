import type { Slot } from './attempt.ts';

/** The events of a run as a whole. */

export interface RunStarted {
  readonly command: string;
  /** What the user calls it. */
  readonly label?: string;
  /** The run that this one continues. */
  readonly resumes: string | null;
  readonly seed: number;
  readonly toolchain: string;
  readonly version: string;
  /** Where the goals come from: files or "bank". */
  readonly sources: readonly string[];
  /** The settings that decisions depend on. */
  readonly config: RunConfig;
  /** All settings as they were, so that `resume` can use them; runs of older versions did not record them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Other options of its command, for the same purpose; for commands that have such options. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly strategies: readonly StrategyInfo[];
  /** What earlier runs taught: the bandit's records and the weights of the difficulty. Decisions can be replayed from here. */
  readonly learned: {
    readonly arms: readonly ArmRecord[];
    readonly weights: Readonly<Record<string, number>>;
    /** For policies that know more than records; runs of older versions did not. */
    readonly policy?: PolicyModel;
  };
}

/** Which arm next: UCB1 among those of a stage, one order for all goals, or by what the goal looks like. */
export type PolicyName = 'ucb1' | 'static' | 'contextual';

/** What is known about arms beyond their records: `orch lab train` writes it and runs update it. */
export interface PolicyModel {
  /** The best single order of those that are not cheap. */
  readonly order: readonly string[];
  /** Of ln(1 + feature), feature by feature. */
  readonly scales: Readonly<Record<string, { readonly mean: number; readonly deviation: number }>>;
  readonly arms: readonly ArmModel[];
}

/** The model of an arm, as weights over the features of a goal. */
export interface ArmModel {
  readonly arm: string;
  /** How many attempts are behind it. */
  readonly lessons: number;
  /** The logit of its chance. */
  readonly chance: Readonly<Record<string, number>>;
  /** The logarithm of the CPU-seconds that it takes, solved or not, and how much that varies. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly spread: number;
}

/** How an arm has done so far, in one context (goals that are alike) or, with context `''`, in all of them. */
export interface ArmRecord {
  readonly arm: string;
  readonly context: string;
  readonly trials: number;
  /** Moving average of the reward. */
  readonly mean: number;
}

export interface RunConfig {
  readonly profile: number;
  /** Wall-clock seconds of the whole run; null: until stopped. */
  readonly timeout: number | null;
  readonly goal_cpu: number;
  readonly cpu_target: number;
  readonly cores: number;
  readonly workers: number;
  readonly max_light: number;
  readonly max_heavy: number;
  readonly escalate_threshold: number;
  /** Runs of older versions had UCB1. */
  readonly policy?: PolicyName;
  /** Of UCB1; runs of older versions had 1.5. */
  readonly ucb?: number;
}

export interface StrategyInfo {
  readonly name: string;
  readonly slot: Slot;
  readonly tier: number;
  /** Null when it is ready; else why not, and what would make it so. */
  readonly unavailable: string | null;
}

export interface RunFinished {
  readonly reason: 'done' | 'timeout' | 'drained' | 'failed';
  readonly message: string | null;
  readonly goals_total: number;
  readonly goals_solved: number;
  /** CPU time of the whole process tree, of the Lean workers in it, and of our own process. */
  readonly cpu_seconds: number;
  readonly lean_cpu_seconds: number;
  readonly host_cpu_seconds: number;
  readonly wall_seconds: number;
  /** cpu_seconds ÷ (cores × seconds with a non-empty queue). */
  readonly utilisation: number;
}

export interface Sample {
  /** Of our process tree since the last sample, as a share of all cores. */
  readonly utilisation: number;
  readonly cpu_target: number;
  /** The load that others put on the machine: an average that forgets. */
  readonly others: number;
  readonly cpu_seconds: number;
  readonly resident_bytes: number;
  readonly queued: number;
  readonly parked: number;
  readonly workers: readonly WorkerSample[];
}

export interface WorkerSample {
  readonly pid: number | null;
  readonly resident_bytes: number;
  /** What it does now, for people: a goal and an arm, or null when idle. */
  readonly goal: string | null;
  readonly arm: string | null;
}

export interface Pruned {
  readonly removed: number;
}

export interface Note {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}
