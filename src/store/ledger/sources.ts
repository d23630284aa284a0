/** The events of each source table, as a condition on `events` for every database. */
export const sourceConditions = {
  runs: "type = 'run-started'",
  goals: "type = 'goal-added'",
  slates: "type = 'slate-started'",
  finished_attempts: "type = 'attempt-finished'",
  verdicts: "type = 'candidate-judged'",
  proofs: "type = 'candidate-judged' AND body ->> 'verdict' = 'accepted'",
  tickets: "type = 'ticket-opened'",
  ticket_claims: "type = 'ticket-claimed'",
  ticket_completions: "type = 'ticket-completed'",
  ticket_requests: "type IN ('ticket-opened', 'ticket-joined')",
  ticket_refutations: "type = 'ticket-refuted'",
  ticket_mergers: "type = 'ticket-merged'",
  pins: "type = 'pinned'",
} as const;
