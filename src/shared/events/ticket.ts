/** Events of requests for helper lemmas. */

export const ticketStatuses = ['open', 'claimed', 'completed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** A request for a helper lemma. */
export interface Ticket {
  readonly ticket_id: string;
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
