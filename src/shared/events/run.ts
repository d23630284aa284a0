import type { Slot } from './attempt.ts';

/** Events of a whole run. */

export interface RunStarted {
  readonly command: string;
  /** Its label. */
  readonly label?: string;
  /** The run that this one continues. */
  readonly resumes: string | null;
  readonly seed: number;
  readonly toolchain: string;
  readonly version: string;
  /** Sources of the goals: files or "bank". */
  readonly sources: readonly string[];
  /** The settings that decisions depend on. */
  readonly config: RunConfig;
  /** All settings, for `resume`; missing in runs of older versions. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Other options of its command, for the same purpose; absent if it has none. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly strategies: readonly StrategyInfo[];
  /** Knowledge from earlier runs: the bandit's records and the difficulty weights. Decisions can be replayed from here. */
  readonly learned: {
    readonly arms: readonly ArmRecord[];
    readonly weights: Readonly<Record<string, number>>;
    /** Further data for policies; missing in runs of older versions. */
    readonly policy?: PolicyModel;
  };
}

/** How the next arm is chosen: UCB1 within a stage, one order for all goals, or by features of the goal. */
export const policyNames = ['ucb1', 'static', 'contextual'] as const;
export type PolicyName = (typeof policyNames)[number];

/** Knowledge about arms beyond their records: `orch lab train` writes it and runs update it. */
export interface PolicyModel {
  /** The best fixed order of the arms that are not cheap. */
  readonly order: readonly string[];
  /** Of ln(1 + feature), per feature. */
  readonly scales: Readonly<Record<string, { readonly mean: number; readonly deviation: number }>>;
  readonly arms: readonly ArmModel[];
}

/** The model of an arm, as weights over the features of a goal. */
export interface ArmModel {
  readonly arm: string;
  /** Number of attempts that it is based on. */
  readonly lessons: number;
  /** The logit of its chance. */
  readonly chance: Readonly<Record<string, number>>;
  /** The logarithm of its CPU-seconds, solved or not, and its variance. */
  readonly seconds: Readonly<Record<string, number>>;
  readonly spread: number;
}

/** Record of an arm in one context or, with context `''`, in all of them. */
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
  /** Default, as in runs of older versions: UCB1. */
  readonly policy?: PolicyName;
  /** Of UCB1; default, as in runs of older versions: 1.5. */
  readonly ucb?: number;
  /** Name of the Lake package that the run worked on, so that several projects can share a ledger. */
  readonly project?: string;
}

export interface StrategyInfo {
  readonly name: string;
  readonly slot: Slot;
  readonly tier: number;
  /** Null if ready; else why not, and how to fix it. */
  readonly unavailable: string | null;
}

export interface RunFinished {
  readonly reason: 'done' | 'timeout' | 'drained' | 'failed';
  readonly message: string | null;
  readonly goals_total: number;
  readonly goals_solved: number;
  /** CPU time of the process tree, of its Lean workers, and of the orch process. */
  readonly cpu_seconds: number;
  readonly lean_cpu_seconds: number;
  readonly host_cpu_seconds: number;
  readonly wall_seconds: number;
  /** cpu_seconds ÷ (cores × seconds with a non-empty queue). */
  readonly utilisation: number;
}

export interface Sample {
  /** Usage of our process tree since the last sample, as a share of all cores. */
  readonly utilisation: number;
  readonly cpu_target: number;
  /** Load of other processes, as a moving average. */
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
  /** Its current work, for people: a goal and an arm; null when idle. */
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
