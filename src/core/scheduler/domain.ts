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
 * The interface of a domain for the engine; everything else is private to the domain. Lemma trading, polishing and
 * refuting are optional.
 */
export interface Domain<Goal, Work, Artifact, Trace, Evidence> {
  readonly rows: Rows<Goal, Artifact, Trace, Evidence>;
  /** Reads the goal, once; all arms then share the work. */
  open(goal: Goal, permit: Permit, signal: AbortSignal): Promise<Opened<Work>>;
  close(work: Work): Promise<void>;
  /** The only function whose verdicts count. */
  judge(work: Work, artifact: Artifact, permit: Permit, signal: AbortSignal): Promise<Judgement<Evidence>>;
  /** The goal that each worker holds; the engine tracks which arms run there. */
  workers(): readonly Omit<WorkerSample, 'arm'>[];
  /** A shorter or more stable candidate for the same goal, if there is one. */
  polish?(work: Work, candidate: Artifact, run: AttemptRun): Promise<Polished<Artifact>>;
  /** Called for each proof, with the goal that it solves. */
  proved?(goal: Goal, proof: string): void;
  /**
   * Judges a proof again with the proofs, so far, of the goals that it takes as given. Undefined: none of these is known to be proved.
   */
  settle?(
    goal: Goal,
    proof: string,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Judgement<Evidence> | undefined>;
  /** Looks for an instance that shows the goal to be false. Undefined: the goal is not open yet. */
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
  /**
   * A proof from an earlier run, as a candidate: a hint that is judged again. `strategy` and `arm` are credited
   * with it. Null for text that this version cannot read; then the goal is searched as usual.
   */
  readonly recall: {
    readonly strategy: string;
    readonly arm: string;
    readonly artifact: (proof: string) => Artifact | null;
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

/** How goals of a domain help each other: an unsolved goal requests a lemma, which becomes a separate goal. */
export interface LemmaSide<Goal, Work> {
  /**
   * The lemma that would have helped, derived from the goals that attempts left open; `isLast`: also accept an
   * unlikely one, because nothing else is left to try.
   */
  missing(goal: Goal, work: Work, run: AttemptRun, isLast: boolean): Promise<MissingLemma>;
  /** A request for a lemma that was stated for a goal. */
  request(goal: Goal, statement: string): LemmaRequest;
  /** The goal of proving a ticket's lemma. */
  goalOf(ticket: Ticket): Goal;
  /** The same goal, which may now use a proved lemma. */
  lend(goal: Goal, lemma: ProvedLemma): Goal;
  /** A lemma turned out to be false: it is not requested again, and its negation may help. */
  refuted?(lemma: RefutedLemma<Goal>): void;
  /** Finished lemmas, offered to every matching goal; without it a lemma is only for its requester. */
  readonly shelf?: LemmaShelf<Goal>;
}

export interface RefutedLemma<Goal> {
  readonly goal: Goal;
  /** Null if the domain never opened it. */
  readonly goalHash: string | null;
  readonly counterexample: string;
}

/** Finished lemmas: hints, each judged again in the proof that uses it. */
export interface LemmaShelf<Goal> {
  add(goal: Goal, proof: string): void;
  /** The few most useful for this goal, best first. */
  find(goal: Goal): readonly ProvedLemma[];
}

export interface Refutation extends Effort {
  /** The false instance; null when none was found, which proves nothing. */
  readonly instance: string | null;
  /** Parts of the goal for which no values were tried, as text. */
  readonly untried?: readonly string[];
  /** Why an instance was not confirmed; the search should be repeated. */
  readonly unjudged?: string;
}

export type NextArm =
  /** `arms` of the strategies now list another one. */
  | { readonly kind: 'offered' }
  /** There will be no other arm: the goal is closed. */
  | { readonly kind: 'none'; readonly why: string };

export interface Polished<Artifact> extends Effort {
  readonly candidate: Artifact;
}

/** Waits until the CPU budget allows one more request. */
export type Permit = (slot: Slot, signal?: AbortSignal) => Promise<void>;

export type Opened<Work> = Effort &
  (
    | { readonly kind: 'open'; readonly work: Work; readonly facts: GoalFacts }
    /** The goal itself is invalid: it will never open. */
    | { readonly kind: 'unreadable'; readonly message: string }
    | { readonly kind: 'cancelled' }
    /** A limit was reached or a tool broke: a retry may open it. */
    | { readonly kind: 'broken'; readonly message: string }
  );

export interface GoalFacts {
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly features: Features;
  readonly context: string;
  /** Changes with the lemmas that the goal may use: what failed without them may succeed now. */
  readonly variant: string;
}

export interface LemmaRequest {
  readonly statement: string;
  readonly name: string;
  /** The dependencies of the statement, in the domain's columns. */
  readonly columns: TicketColumns;
}

export interface MissingLemma extends Effort {
  /** Undefined if no lemma suggests itself. */
  readonly request: LemmaRequest | undefined;
}

export interface ProvedLemma {
  readonly statement: string;
  readonly proof: string;
}

/** Data from earlier runs and requests from other processes: hints, never results. */
export interface Memory {
  /** Definite failures of exactly this goal in exactly this environment. */
  tried(goalHash: string, fingerprint: string): Promise<readonly TriedArm[]>;
  /** Proofs of the same goal, newest first. */
  provedBefore(goalHash: string): Promise<readonly string[]>;
  /** How often attempts on this goal have failed. */
  failures(goalHash: string): Promise<number>;
  /** A ticket for the same lemma, or for one so similar that its proof may serve. */
  similarTicket(request: LemmaRequest): Promise<Ticket | undefined>;
  /** Claims a ticket, or claims it for longer; false if someone else has it. */
  claim(ticketId: string): Promise<boolean>;
  /** Tickets that anyone has completed or refuted since the last call; on the first call, all of them. */
  newlySettled(): Promise<readonly SettledTicket[]>;
  /** Users' requests to a run since the last call, from any process, oldest first. */
  newRequests(run: string): Promise<readonly ControlRequest[]>;
}

type SettledTicket = Ticket & { readonly counterexample: string | null };

export interface ControlRequest extends ControlRequested {
  readonly seq: number;
}
