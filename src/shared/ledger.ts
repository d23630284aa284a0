import type { goalView } from './schemas/goal-view.ts';
import type * as answers from './schemas/responses.ts';
import type * as rows from './schemas/rows.ts';
import type { Answer } from './schemas/rows.ts';

/**
 * Rows of the ledger as `stats --json` prints them and the dashboard reads them. Field names are column names; the schemas
 * describe each field.
 */

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

export type RunRow = Omit<Answer<typeof rows.runSummary>, 'state' | 'paused' | 'so_far'>;

export type GoalRow = Omit<Answer<typeof rows.goalListRow>, 'latest'>;
/** Its status in one word. */
export type GoalStanding = Pick<
  GoalRow,
  'goal' | 'requester' | 'status' | 'label' | 'difficulty' | 'cpu_seconds'
>;

export type GoalDetail = GoalRow & {
  /** The data with which its domain opens it again. */
  readonly task: unknown;
} & Pick<
    Answer<typeof goalView>,
    'preamble' | 'features' | 'slates' | 'attempt_rows' | 'verdicts' | 'proofs' | 'runs'
  >;
export type SlateRow = GoalDetail['slates'][number];
export type AttemptRow = GoalDetail['attempt_rows'][number];
export type VerdictRow = GoalDetail['verdicts'][number];
export type ProofRow = GoalDetail['proofs'][number];
export type GoalInRun = GoalDetail['runs'][number];

/** Statistics of a strategy or an arm over a period. */
export type StrategyRow = Answer<typeof rows.strategyRow>;
export type ArmStats = Answer<typeof answers.armStats>;
export type StrategyStats = Overview['strategies'][number];
export type StrategyHour = Overview['hours'][number];
export type Totals = Overview['totals'];
type Overview = Answer<typeof answers.stats>;

/** The output of `stats --json`. */
export type Stats = Answer<typeof answers.ledgerStatistics> & {
  /** Milliseconds since 1970; null: all time. Attempts, strategies and CPU count from here; everything else covers all time. */
  readonly since: number | null;
  /** The last five. */
  readonly runs: readonly RunRow[];
};

/** The goals of one topic or file, their outcomes and cost. */
export interface GoalGroup {
  readonly group: string;
  readonly goals: number;
  readonly solved: number;
  readonly refuted: number;
  readonly attempts: number;
  readonly cpu_seconds: number;
}

/** The current state of a ticket; a ticket with an expired claim is open. */
export type TicketRow = Answer<typeof rows.ticketRow>;
/** Who waits for a ticket. */
export type TicketRequestRow = Answer<typeof answers.marketplace>['requests'][number];

/** A lemma that a goal asked for or that its proof contains. */
export interface HelperLemma {
  readonly ticket: TicketRow;
  /** The goal's share of its cost. */
  readonly cpu_seconds: number;
  readonly is_in_proof: boolean;
}
