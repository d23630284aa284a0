import type { GoalListRow } from '../../src/shared/api.ts';
import { costOf } from '../../src/shared/cost.ts';
import type { RunEvent } from '../../src/shared/events.ts';

/**
 * A goal's row after an event, computed like the ledger's triggers (sql/ledger/0003_derived.sql). It is shown until
 * the server's next answer, which can take a while with thousands of goals.
 */
export function rowAfter(before: GoalListRow, event: RunEvent): GoalListRow {
  const row = { ...before, cpu_seconds: before.cpu_seconds + (costOf(event)?.cpu_seconds ?? 0) };
  switch (event.type) {
    case 'goal-examined':
      return {
        ...row,
        difficulty: event.difficulty,
        priority: event.priority,
      };
    case 'slate-started':
      return { ...row, status: 'racing', until: null, ticket: null, reason: event.reason };
    case 'goal-parked':
      return { ...row, status: 'parked', until: event.until, ticket: event.ticket, reason: event.reason };
    case 'goal-closed':
      return {
        ...row,
        status: event.solved ? 'solved' : event.refuted === null ? 'unsolved' : 'refuted',
        refuted: event.refuted,
        until: null,
        ticket: null,
        reason: event.reason,
      };
    case 'attempt-finished':
      return {
        ...row,
        attempts: row.attempts + 1,
        latest_error: event.error ?? row.latest_error,
        latest: event.at,
      };
    case 'candidate-judged':
    case 'goal-charged':
    case 'goal-added':
    case 'goal-opened':
    case 'attempt-started':
    case 'run-started':
    case 'run-finished':
    case 'ticket-opened':
    case 'ticket-claimed':
    case 'ticket-completed':
    case 'ticket-joined':
    case 'ticket-refuted':
    case 'ticket-merged':
    case 'pinned':
    case 'control-requested':
    case 'control-obeyed':
    case 'proof-audited':
    case 'pruned':
    case 'sample':
    case 'note':
      return row;
  }
}
