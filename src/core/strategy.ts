import type { AttemptLimits, EffortRow, ModelUse, OutcomeKind, Slot } from '../shared/events.ts';

/**
 * A way to search for candidates. It knows one domain, through `Work`: a goal that was opened (elaborated once, in a worker
 * that stays warm) and that all arms of a slate share.
 */
export interface Strategy<Work, Artifact, Trace = unknown> {
  readonly name: string;
  /** Light attempts take seconds, heavy ones a minute; heavy ones give way first. */
  readonly slot: Slot;
  /** The lowest profile that includes it. */
  readonly tier: number;
  /** Maximum cost of one attempt. */
  readonly budget: AttemptLimits;
  /** Maximum wall-clock time of an attempt that waits for others; default: derived from its CPU budget. */
  readonly wallSeconds?: number;
  /** One attempt does everything: it gets the whole budget at once and has no second round. */
  readonly isExhaustive?: boolean;
  /** It offers results of earlier runs, so its failures are no evidence of a goal's difficulty. */
  readonly isMemory?: boolean;
  ready(): Promise<Readiness>;
  arms(work: Work): readonly Arm[];
  attempt(work: Work, arm: Arm, run: AttemptRun): Promise<Outcome<Artifact, Trace>>;
}

export type Readiness =
  | { readonly ready: true }
  /** Why not, and what to install. */
  | { readonly ready: false; readonly why: string };

/** A choice of the bandit. */
export interface Arm {
  /** `strategy/variant` */
  readonly name: string;
  /** Identifies what the arm does, for the loop guard. */
  readonly signature: string;
  /** Arms of a lower stage (default 0) run first: they are cheap and often sufficient. */
  readonly stage?: number;
  /** If different from its strategy's: a short variant of a deep strategy is light and cheap. */
  readonly slot?: Slot;
  readonly budget?: AttemptLimits;
  /** The round in which it starts, with its whole budget at once: for arms that only pay off after all cheap attempts. */
  readonly round?: number;
  /** Its proofs were polished when first found. */
  readonly isPolished?: boolean;
}

export interface AttemptRun {
  readonly signal: AbortSignal;
  readonly limits: AttemptLimits;
  /** Resolves when the CPU budget of the run allows one more request. Call it before each request. */
  readonly permit: () => Promise<void>;
  /** When the signal is aborted, in time of the run's clock (`Clock.now`), regardless of CPU used. */
  readonly deadline: number;
  /** Position in the slate, from 0: arms that share a worker get more of it the better they rank. */
  readonly place: number;
  /** Seed of the attempt's random choices. */
  readonly seed: number;
}

/**
 * The outcome of an attempt. Failure is a value; a throw is a bug. `Trace` is what the domain records of every attempt.
 */
export type Outcome<Artifact, Trace = unknown> = Spent &
  Trace &
  (
    | { readonly kind: 'solved'; readonly candidate: Artifact }
    /** Blocked on lemmas, given as statements: `assemble` turns their proofs, in order, into a candidate. */
    | (BlockedOn<Artifact> & { readonly kind: 'blocked'; readonly message: string })
    | { readonly kind: Exclude<OutcomeKind, 'solved' | 'blocked'>; readonly message: string }
  );

export interface BlockedOn<Artifact> {
  readonly lemmas: readonly string[];
  readonly assemble: (proofs: readonly string[]) => Artifact;
}

/** A cost. */
export interface Effort {
  /** Measured CPU time, for display and for the CPU target. */
  readonly cpuSeconds: number;
  /** Machine-independent work, if the domain has such a measure; limits and rewards use it. */
  readonly workSeconds?: number;
}

/** An effort in the form of event columns. */
export function effortRow({ cpuSeconds, workSeconds }: Effort): EffortRow {
  return { cpu_seconds: cpuSeconds, ...(workSeconds !== undefined && { work_seconds: workSeconds }) };
}

export interface Spent extends Effort {
  readonly peakBytes: number;
  /** Answers from earlier runs in the ledger. */
  readonly cacheHits: number;
  /** Only set when resources other than our own processors were used. */
  readonly gpuSeconds?: number;
  readonly cloudSeconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The share of the goal's model budget that was used, from 0 to 1: the scheduler prefers cheap arms. */
  readonly boughtShare?: number;
  /** The language model used, and its answers. */
  readonly model?: ModelUse;
}
