import type {
  AttemptFinished,
  CandidateJudged,
  DifficultyLabel,
  OutcomeKind,
  RunConfig,
  SlateStarted,
  StrategyInfo,
  Ticket,
  TicketKind,
  TicketStatus,
  ModelUse,
} from './events.ts';

/** Rows of the ledger as `stats --json` prints them and the dashboard reads them. Field names are column names. */

export interface RunRow {
  readonly run: string;
  readonly started: number;
  readonly command: string;
  /** Its label (`--label`). */
  readonly label: string | null;
  readonly resumes: string | null;
  readonly seed: number;
  readonly toolchain: string;
  readonly version: string;
  readonly sources: readonly string[];
  readonly config: RunConfig;
  readonly strategies: readonly StrategyInfo[];
  /** Null until the run has finished, as are all following fields except the goal counts. */
  readonly finished: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly goals_total: number;
  readonly goals_solved: number;
  readonly cpu_seconds: number | null;
  readonly wall_seconds: number | null;
  readonly utilisation: number | null;
}

/** `lost`: no end was recorded, and no heartbeat for ten seconds. */
export const runStates = ['live', 'lost', 'finished'] as const;

export const goalStatuses = [
  'queued',
  'racing',
  'parked',
  'solved',
  'refuted',
  'unsolved',
  'stopped',
] as const;
export type GoalStatus = (typeof goalStatuses)[number];

export interface GoalRow {
  readonly run: string;
  readonly goal: string;
  readonly statement: string;
  readonly topic: string | null;
  readonly label: DifficultyLabel | null;
  readonly difficulty: number;
  readonly priority: number;
  readonly source: string | null;
  readonly requester: string | null;
  readonly goal_hash: string | null;
  readonly fingerprint: string | null;
  readonly status: GoalStatus;
  readonly until: number | null;
  readonly ticket: string | null;
  readonly attempts: number;
  readonly cpu_seconds: number;
  readonly latest_error: string | null;
  /** The counterexample. */
  readonly refuted: string | null;
  /** Of the last decision. */
  readonly reason: string | null;
}

/** Its status in one word. */
export type GoalStanding = Pick<
  GoalRow,
  'goal' | 'requester' | 'status' | 'label' | 'difficulty' | 'cpu_seconds'
>;

export interface GoalDetail extends GoalRow {
  /** The data with which its domain opens it again. */
  readonly task: unknown;
  readonly preamble: string;
  readonly features: Readonly<Record<string, number>> | null;
  readonly slates: readonly SlateRow[];
  readonly attempt_rows: readonly AttemptRow[];
  readonly verdicts: readonly VerdictRow[];
  readonly proofs: readonly ProofRow[];
  /** The same goal in all runs, newest first. */
  readonly runs: readonly GoalInRun[];
}

export interface GoalInRun extends Pick<GoalRow, 'run' | 'goal' | 'status' | 'attempts' | 'cpu_seconds'> {
  readonly started: number;
  readonly label: string | null;
  readonly command: string;
}

/** A row contains the event's data; its goal is a separate column. */
type Kept<Body, Left extends keyof Body = never> = { readonly seq: number } & Omit<Body, 'goal' | Left>;

export type SlateRow = Kept<SlateStarted> & { readonly at: number };
export type AttemptRow = Kept<AttemptFinished, 'goal_hash' | 'fingerprint' | 'context' | 'model'> & {
  readonly microdollars: number;
  readonly model: ModelUse | null;
};
export type VerdictRow = { readonly seq: number; readonly at: number } & Pick<
  CandidateJudged,
  'attempt' | 'strategy' | 'arm' | 'proof' | 'verdict' | 'kind' | 'message' | 'cpu_seconds'
>;
export type ProofRow = { readonly seq: number; readonly at: number; readonly assurance: string } & Pick<
  CandidateJudged,
  'attempt' | 'strategy' | 'arm' | 'proof' | 'premises' | 'axioms' | 'assumes' | 'toolchain' | 'fingerprint'
> & {
    /** The judge that accepted it; null before judges had versions. */
    readonly judge: string | null;
  };

/** Statistics of a strategy or an arm over a period. */
export interface StrategyRow {
  readonly strategy: string;
  readonly arm: string;
  readonly attempts: number;
  /** Attempts whose proof the gate accepted. */
  readonly successes: number;
  readonly cpu_seconds: number;
  readonly wall_seconds: number;
  readonly gpu_seconds: number;
  readonly cloud_seconds: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Cost of models, in whole millionths of a dollar. */
  readonly microdollars: number;
  readonly cache_hits: number;
  readonly attempts_with_hits: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
}

export interface StrategyHour {
  /** Start of the hour, in milliseconds since 1970. */
  readonly hour: number;
  readonly strategy: string;
  readonly attempts: number;
  readonly successes: number;
  readonly cpu_seconds: number;
}

/** The output of `stats --json`. */
export interface Stats {
  /** Milliseconds since 1970; null: all time. Attempts, strategies and CPU count from here; everything else covers all time. */
  readonly since: number | null;
  readonly total_attempts: number;
  readonly successes: number;
  readonly success_rate: number;
  /** Of attempts only. */
  readonly cpu_seconds: number;
  /** Of all runs, including set-up, opening, attempts and judging. */
  readonly runs_cpu_seconds: number;
  /** Share of attempts with a cache hit. */
  readonly hit_rate: number;
  readonly cache_hits: number;
  readonly cached_goals: number;
  readonly goals_known: number;
  readonly goals_solved: number;
  readonly goals_refuted: number;
  readonly solve_rate: number;
  readonly strategies: readonly StrategyStats[];
  readonly tickets: Readonly<Record<TicketStatus, number>>;
  /** The last five. */
  readonly runs: readonly RunRow[];
}

/** The goals of one topic or file, their outcomes and cost. */
export interface GoalGroup {
  readonly group: string;
  readonly goals: number;
  readonly solved: number;
  readonly refuted: number;
  readonly attempts: number;
  readonly cpu_seconds: number;
}

export interface ArmStats {
  readonly attempts: number;
  readonly successes: number;
  readonly success_rate: number;
  /** Wall clock of an attempt. */
  readonly mean_seconds: number;
  readonly cpu_seconds: number;
  readonly gpu_seconds: number;
  readonly cloud_seconds: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Cost of models, in whole millionths of a dollar. */
  readonly microdollars: number;
  readonly cache_hits: number;
  readonly outcomes: Readonly<Partial<Record<OutcomeKind, number>>>;
}

export interface StrategyStats extends ArmStats {
  readonly strategy: string;
  readonly arms: readonly (ArmStats & { readonly arm: string })[];
}

export interface Totals {
  /** Attempts whose proof the gate accepted. */
  readonly successes: number;
  readonly goals_known: number;
  readonly goals_solved: number;
  /** Goals with a counterexample. */
  readonly goals_refuted: number;
  /** Goals with a known working script. */
  readonly cached_goals: number;
}

/** The current state of a ticket; a ticket with an expired claim is open. */
export interface TicketRow extends Ticket {
  readonly kind: TicketKind;
  readonly goal_hash: string | null;
  /** Values for which the lemma is false; null unless it is refuted. */
  readonly counterexample: string | null;
  /** The more general ticket that it follows from. */
  readonly merged_into: string | null;
  /** The cost of work on it in all runs. */
  readonly cpu_seconds: number;
  /** The run that requested it; null if a user did. */
  readonly run: string | null;
  readonly opened: number;
  /** The claimant and the expiry of the claim; null unless claimed. */
  readonly claimant: string | null;
  readonly expires: number | null;
  readonly assurance: string | null;
}

/** A lemma that a goal asked for or that its proof contains. */
export interface HelperLemma {
  readonly ticket: TicketRow;
  /** The goal's share of its cost. */
  readonly cpu_seconds: number;
  readonly is_in_proof: boolean;
}

/** Who waits for a ticket. */
export interface TicketRequestRow {
  readonly ticket_id: string;
  /** `market` if a user asked. */
  readonly run: string;
  readonly requester: string;
  readonly priority: number;
  readonly at: number;
  /** Its part of what the ticket has cost, in proportion to the priorities of all who asked. */
  readonly cpu_seconds: number;
}
