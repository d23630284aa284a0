import type { AttemptLimits, EffortRow, ModelUse, OutcomeKind, Slot } from '../shared/events.ts';

/**
 * A way to look for candidates. It knows one domain, through `Work`: a goal that was opened (elaborated once, in a worker
 * that stays warm) and that all arms of a slate share.
 */
export interface Strategy<Work, Artifact, Trace = unknown> {
  readonly name: string;
  /** Light attempts take seconds, heavy ones a minute; heavy ones give way first. */
  readonly slot: Slot;
  /** The lowest profile that brings it. */
  readonly tier: number;
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
  /** The most that an attempt may take by the clock, for one that waits for others; where it does not say, by its CPU. */
  readonly wallSeconds?: number;
  /** An attempt does all that it can: it has the whole budget at once, and there is no second round. */
  readonly isExhaustive?: boolean;
  /** It offers what earlier runs left: a look there says nothing about how hard a goal is. */
  readonly isMemory?: boolean;
  ready(): Promise<Readiness>;
  arms(work: Work): readonly Arm[];
  attempt(work: Work, arm: Arm, run: AttemptRun): Promise<Outcome<Artifact, Trace>>;
}

export type Readiness =
  | { readonly ready: true }
  /** Why not, and what would make it so. */
  | { readonly ready: false; readonly why: string };

/** What the bandit chooses. */
export interface Arm {
  /** `strategy/variant` */
  readonly name: string;
  /** Changes whenever the arm would do something else; the loop guard compares it. */
  readonly signature: string;
  /** Arms of a lower stage (0 unless it says so) run before those of a higher: they are cheap, and often enough. */
  readonly stage?: number;
  /** Where it differs from its strategy: a short variant of a deep one is light and cheap. */
  readonly slot?: Slot;
  readonly budget?: AttemptLimits;
  /** The round in which it begins, with its whole budget at once: for what is worth it only when all cheap looks have failed. */
  readonly round?: number;
  /** What it finds was polished when it was found first. */
  readonly isPolished?: boolean;
}

export interface AttemptRun {
  readonly signal: AbortSignal;
  readonly limits: AttemptLimits;
  /** Resolves when the CPU budget of the run allows one more request; to be asked before each. */
  readonly permit: () => Promise<void>;
  /** By the run's clock (`Clock.now`): then the signal is aborted, however little the attempt has used. */
  readonly deadline: number;
  /** Its place in the slate, from 0: where arms share a worker, the better one gets more of it. */
  readonly place: number;
  /** For whatever an attempt decides by chance. */
  readonly seed: number;
}

/**
 * What an attempt answers. Failure is a value; a throw is a bug. `Trace` is what the domain keeps of an attempt, whether it
 * succeeded or not.
 */
export type Outcome<Artifact, Trace = unknown> = Spent &
  Trace &
  (
    | { readonly kind: 'solved'; readonly candidate: Artifact }
    /** Blocked on lemmas, as statements: with proofs of all of them, in their order, there is a candidate. */
    | (BlockedOn<Artifact> & { readonly kind: 'blocked'; readonly message: string })
    | { readonly kind: Exclude<OutcomeKind, 'solved' | 'blocked'>; readonly message: string }
  );

export interface BlockedOn<Artifact> {
  readonly lemmas: readonly string[];
  readonly assemble: (proofs: readonly string[]) => Artifact;
}

/** What something cost. */
export interface Effort {
  /** As the machine counts it, for people and for the CPU target. */
  readonly cpuSeconds: number;
  /** The same in a measure that does not depend on the machine, where a domain has one: limits and rewards go by it. */
  readonly workSeconds?: number;
}

/** An effort as events have it. */
export function effortRow({ cpuSeconds, workSeconds }: Effort): EffortRow {
  return { cpu_seconds: cpuSeconds, ...(workSeconds !== undefined && { work_seconds: workSeconds }) };
}

export interface Spent extends Effort {
  readonly peakBytes: number;
  /** Answers that came from what earlier runs left in the ledger. */
  readonly cacheHits: number;
  /** Only where something outside of our own processors was used. */
  readonly gpuSeconds?: number;
  readonly cloudSeconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** How much of what models may cost on a goal that was, from 0 to 1: the scheduler prefers what is cheap. */
  readonly boughtShare?: number;
  /** Which language model was asked, and what it said. */
  readonly model?: ModelUse;
}
