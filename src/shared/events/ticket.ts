/** Events of requests for helper lemmas. */

/**
 * `refuted`: a counterexample shows it to be false. `merged`: it follows from a more general ticket, which is worked on in its place.
 */
export const ticketStatuses = ['open', 'claimed', 'completed', 'refuted', 'merged'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** `definition` and `instance` want a value of a type, `refactor` a shorter proof of something proved. */
export const ticketKinds = ['lemma', 'definition', 'instance', 'refactor'] as const;
export type TicketKind = (typeof ticketKinds)[number];

/** A request for a helper lemma. */
export interface Ticket {
  readonly ticket_id: string;
  /** Absent in ledgers of earlier versions: a lemma. */
  readonly kind?: TicketKind;
  /** The lemma's statement, as Lean reads it. */
  readonly goal: string;
  /** Identity of that statement, if Lean has elaborated it. */
  readonly goal_hash?: string | null;
  /** The preamble it depends on, followed by other useful context. */
  readonly context: readonly string[];
  /** The project modules that the preamble imports, in the domain's format; absent if it needs only Lean's library. */
  readonly environment?: unknown;
  readonly suggested_name: string;
  readonly constraints: readonly string[];
  readonly priority: number;
  readonly status: TicketStatus;
  /** The goal or client that requested it. */
  readonly requester: string;
  readonly dependencies: readonly string[];
  readonly completed_proof: string | null;
  /** If the lemma is a hole of a plan: the goal that should prove it. */
  readonly lemma_goal?: string;
}

/** Someone else waits for the same lemma. */
export interface TicketJoined {
  readonly ticket_id: string;
  readonly requester: string;
  readonly priority: number;
}

export interface TicketClaimed {
  readonly ticket_id: string;
  readonly claimant: string;
  /** Milliseconds since 1970; afterwards the ticket is open again. */
  readonly expires: number;
}

export interface TicketCompleted {
  readonly ticket_id: string;
  readonly claimant: string;
  readonly completed_proof: string;
  readonly assurance: string;
}

/** The gate accepted a proof of the lemma's negation. */
export interface TicketRefuted {
  readonly ticket_id: string;
  /** Identity of the false statement, if Lean has elaborated it. */
  readonly goal_hash: string | null;
  /** Values for which it is false. */
  readonly counterexample: string;
}

/** Its lemma follows from that of another ticket. */
export interface TicketMerged {
  readonly ticket_id: string;
  readonly into_ticket: string;
}

/** A person puts a goal or a node of the blueprint on the critical path, or takes it off. */
export interface Pinned {
  readonly name: string;
  readonly is_pinned: boolean;
}
