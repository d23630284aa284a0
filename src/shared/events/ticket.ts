/** The events of requests for helper lemmas. */

export const ticketStatuses = ['open', 'claimed', 'completed'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

/** A request for a helper lemma. */
export interface Ticket {
  readonly ticket_id: string;
  /** The lemma's statement, as Lean reads it. */
  readonly goal: string;
  /** Identity of that statement, where Lean has elaborated it. */
  readonly goal_hash?: string | null;
  /** The preamble that it depends on, then whatever else helps. */
  readonly context: readonly string[];
  /** What that preamble imports from a project, as the domain says it; without it, everything comes with Lean. */
  readonly environment?: unknown;
  readonly suggested_name: string;
  readonly constraints: readonly string[];
  readonly priority: number;
  readonly status: TicketStatus;
  /** The goal that waits for it, or the client that asked. */
  readonly requester: string;
  readonly dependencies: readonly string[];
  readonly completed_proof: string | null;
  /** Where the lemma is a hole of a plan: the goal of the run that is to prove it. */
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
