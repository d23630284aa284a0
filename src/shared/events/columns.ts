import type { AttemptFinished, CandidateJudged } from './attempt.ts';
import type { GoalAdded, GoalClosed } from './goal.ts';
import type { Ticket } from './ticket.ts';

/** The columns that a domain fills. The engine fills the others and never reads these. */
export type GoalColumns = Omit<GoalAdded, 'difficulty' | 'priority' | 'requester'>;
export type AttemptColumns = Pick<AttemptFinished, 'tactics' | 'next_goals' | 'premises'>;
export type EvidenceColumns = Pick<
  CandidateJudged,
  'axioms' | 'assumes' | 'toolchain' | 'judge' | 'fingerprint'
>;
export type ClosedColumns = Pick<GoalClosed, 'axioms' | 'assumes'>;
export type TicketColumns = Pick<Ticket, 'context' | 'environment'>;
