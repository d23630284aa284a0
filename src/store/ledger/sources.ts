import { plural } from '../../shared/plural.ts';

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

/** Gaps in the numbers of events; empty if there are none. Numbers grow by one, and pruning records how many it removed. */
export function gapsIn({ count, first, last }: Numbers): string[] {
  if (first === 1 && count === last) return [];
  return [`the events are numbered ${first} to ${last}, but there are ${count}`];
}

export interface Numbers {
  /** Stored and pruned events. */
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export function strayRows(table: string, { lost, invented }: { lost: number; invented: number }): string[] {
  if (lost + invented === 0) return [];
  return [`${table} lacks ${plural(lost, 'row')} that events require, and has ${invented} without an event`];
}

export function wrongRows(table: string, { wrong, missing }: { wrong: number; missing: number }): string[] {
  if (wrong + missing === 0) return [];
  return [`${table} has ${wrong} wrong rows and lacks ${missing}: \`orch ledger rebuild\` repairs that`];
}
