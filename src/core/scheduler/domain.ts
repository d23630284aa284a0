import type {
  AttemptColumns,
  ClosedColumns,
  ControlRequested,
  EvidenceColumns,
  GoalColumns,
  Slot,
  Ticket,
  TicketColumns,
  TriedArm,
  WorkerSample,
} from '../../shared/events.ts';
import type { Features } from '../difficulty.ts';
import type { Effort, AttemptRun } from '../strategy.ts';
import type { Judgement } from '../verdict.ts';

/**
 * What the engine needs to know about a domain; everything else is the domain's own affair. Lemma trading, polishing and
 * refuting are optional.
 */
export interface Domain<Goal, Work, Artifact, Trace, Evidence> {
  readonly rows: Rows<Goal, Artifact, Trace, Evidence>;
  /** Reads the goal, once; all arms then share the work. */
  open(goal: Goal, permit: Permit, signal: AbortSignal): Promise<Opened<Work>>;
  close(work: Work): Promise<void>;
  /** The only authority. */
  judge(work: Work, artifact: Artifact, permit: Permit, signal: AbortSignal): Promise<Judgement<Evidence>>;
  /** What each worker holds; the engine knows which arms run there. */
  workers(): readonly Omit<WorkerSample, 'arm'>[];
  /** A shorter or more stable candidate for the same goal, if there is one. */
  polish?(work: Work, candidate: Artifact, run: AttemptRun): Promise<Polished<Artifact>>;
  /** Look for an instance that shows the goal to be false. Undefined: there was nowhere to look yet. */
  refute?(work: Work, run: AttemptRun): Promise<Refutation | undefined>;
  /**
   * For work whose arms appear over time: waits for the next one. Called when every arm that the goal offers has failed.
   * Goals of a domain without it get their next round instead.
   */
  nextArm?(work: Work, signal: AbortSignal): Promise<NextArm>;
  readonly lemmas?: LemmaSide<Goal, Work>;
}

/** The boundary between a domain's own data and the columns of events and the ledger. */
export interface Rows<Goal, Artifact, Trace, Evidence> {
  goal(goal: Goal): GoalColumns;
  /** A candidate as text, and the premises that the text names. */
  candidate(artifact: Artifact): CandidateText;
  /** A proof from an earlier run, as a candidate: a hint that is judged again. `strategy` and `arm` are credited with it. */
  readonly recall: {
    readonly strategy: string;
    readonly arm: string;
    readonly artifact: (proof: string) => Artifact;
  };
  /** The trace of an attempt that the engine itself ended. */
  readonly noTrace: Trace;
  /** The trace of an attempt that only offers a candidate. */
  traceOf(artifact: Artifact): Trace;
  attempt(trace: Trace): AttemptColumns;
  evidence(evidence: Evidence): EvidenceColumns;
  /** Null: the goal was not proved. */
  closed(evidence: Evidence | null): ClosedColumns;
}

interface CandidateText {
  readonly proof: string;
  readonly premises: readonly string[];
}

/** How goals of a domain help each other: what resists asks for a lemma, which is then a goal of its own. */
export interface LemmaSide<Goal, Work> {
  /** The lemma that would have helped, from what the attempts left open; `isLast`: a less likely one too, since nothing else is left. */
  missing(goal: Goal, work: Work, run: AttemptRun, isLast: boolean): Promise<MissingLemma>;
  /** A lemma that someone states for a goal, to be asked for. */
  request(goal: Goal, statement: string): LemmaRequest;
  /** The goal of proving a ticket's lemma. */
  goalOf(ticket: Ticket): Goal;
  /** The same goal, which may now use a proved lemma. */
  lend(goal: Goal, lemma: ProvedLemma): Goal;
  /** Finished lemmas, for every goal that matches; without it a lemma is only for its requester. */
  readonly shelf?: LemmaShelf<Goal>;
}

/** Finished lemmas: hints, each of them judged again with whatever uses it. */
export interface LemmaShelf<Goal> {
  add(goal: Goal, proof: string): void;
  /** The few that this goal could use best, the nearest first. */
  find(goal: Goal): readonly ProvedLemma[];
}

export interface Refutation extends Effort {
  /** What is false; null when nothing was found, which says nothing. */
  readonly instance: string | null;
  /** Parts of the goal for which no values were tried, for people. */
  readonly untried?: readonly string[];
  /** An instance was found, but whether it counts is unknown, and why: worth another look. */
  readonly unjudged?: string;
}

export type NextArm =
  /** `arms` of the strategies now list another one. */
  | { readonly kind: 'offered' }
  /** There will be no other: the goal is closed. */
  | { readonly kind: 'none'; readonly why: string };

export interface Polished<Artifact> extends Effort {
  readonly candidate: Artifact;
}

/** Waits until the CPU budget allows one more request. */
export type Permit = (slot: Slot, signal?: AbortSignal) => Promise<void>;

export type Opened<Work> = Effort &
  (
    | { readonly kind: 'open'; readonly work: Work; readonly facts: GoalFacts }
    /** The goal itself is at fault: it will never open. */
    | { readonly kind: 'unreadable'; readonly message: string }
    | { readonly kind: 'cancelled' }
    /** A limit was reached or a tool broke: another time it may open. */
    | { readonly kind: 'broken'; readonly message: string }
  );

export interface GoalFacts {
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly features: Features;
  readonly context: string;
  /** Differs when the same goal may use other lemmas than before: what failed then may succeed now. */
  readonly variant: string;
}

export interface LemmaRequest {
  readonly statement: string;
  readonly name: string;
  /** What the statement depends on, as the domain says it. */
  readonly columns: TicketColumns;
}

export interface MissingLemma extends Effort {
  /** Nothing where no lemma suggests itself. */
  readonly request: LemmaRequest | undefined;
}

export interface ProvedLemma {
  readonly statement: string;
  readonly proof: string;
}

/** What earlier runs left behind, and what other processes say: hints and wishes, never results. */
export interface Memory {
  /** Definite failures of this very goal in this very environment. */
  tried(goalHash: string, fingerprint: string): Promise<readonly TriedArm[]>;
  /** Proofs of the same goal, newest first. */
  provedBefore(goalHash: string): Promise<readonly string[]>;
  /** How often attempts on this goal have failed. */
  failures(goalHash: string): Promise<number>;
  /** A ticket that asks for the same lemma, or one so like it that its answer may do. */
  similarTicket(request: LemmaRequest): Promise<Ticket | undefined>;
  /** Tickets completed since the last time that this was asked, by whomever; the first time, all that ever were. */
  newlyCompleted(): Promise<readonly Ticket[]>;
  /** What people have asked of a run since the last time that this was asked, from whatever process; oldest first. */
  newRequests(run: string): Promise<readonly ControlRequest[]>;
}

export interface ControlRequest extends ControlRequested {
  readonly seq: number;
}
