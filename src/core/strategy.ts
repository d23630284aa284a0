import type { AttemptLimits, ModelUse, OutcomeKind, Slot } from '../shared/events.ts';

/**
 * A way to look for candidates. It knows one domain, through `Work`: a goal that was opened (elaborated once, in a worker
 * that stays warm) and that all arms of a slate share.
 */
export interface Strategy<Work, Candidate> {
  readonly name: string;
  /** Light attempts take seconds, heavy ones a minute; heavy ones give way first. */
  readonly slot: Slot;
  /** 0 micro, 1 copilot, 2 reprover: the profile that brings it. */
  readonly tier: number;
  /** The most that one attempt may cost. */
  readonly budget: AttemptLimits;
  /** The most that an attempt may take by the clock, for one that waits for others; where it does not say, by its CPU. */
  readonly wallSeconds?: number;
  /** An attempt does all that it can: it has the whole budget at once, and there is no second round. */
  readonly isExhaustive?: boolean;
  ready(): Promise<Readiness>;
  arms(work: Work): readonly Arm[];
  attempt(work: Work, arm: Arm, run: AttemptRun): Promise<Outcome<Candidate>>;
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

/** What an attempt answers. Failure is a value; a throw is a bug. */
export type Outcome<Candidate> = Spent &
  (
    | { readonly kind: 'solved'; readonly candidate: Candidate }
    /** Blocked on lemmas, as statements: with proofs of all of them, in their order, there is a candidate. */
    | {
        readonly kind: 'blocked';
        readonly lemmas: readonly string[];
        readonly assemble: (proofs: readonly string[]) => Candidate;
        readonly message: string;
      }
    | { readonly kind: Exclude<OutcomeKind, 'solved' | 'blocked'>; readonly message: string }
  );

export interface Spent {
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  /** The candidate's script, or the best partial one, and what that left open. */
  readonly tactics: readonly string[];
  readonly nextGoals: readonly string[];
  readonly premises: readonly string[];
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
