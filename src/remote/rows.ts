import type { Rows } from '../core/scheduler/domain.ts';
import type { RemoteCandidate } from './received.ts';

/** The rows of the goals' own domain, as far as workers' answers need them. */
export type DomainRows<Goal, Evidence> = Pick<
  Rows<Goal, never, never, Evidence>,
  'goal' | 'evidence' | 'closed'
> & {
  readonly recall: { readonly strategy: string; readonly arm: string };
};

/** The row of an attempt: the proof that the worker sent, if any. */
export interface RemoteTrace {
  readonly sent: RemoteCandidate | undefined;
}

/** A worker sends text; the other columns are written as in the goals' own domain. */
export function remoteRows<Goal, Evidence>(
  rows: DomainRows<Goal, Evidence>,
): Rows<Goal, RemoteCandidate, RemoteTrace, Evidence> {
  return {
    goal: (goal) => rows.goal(goal),
    candidate: ({ proof, premises }) => ({ proof, premises }),
    recall: { ...rows.recall, artifact: (proof) => ({ proof, premises: [] }) },
    noTrace: { sent: undefined },
    traceOf: ({ proof }) => ({ sent: { proof, premises: [] } }),
    attempt: ({ sent }) => ({
      tactics: sent ? [sent.proof] : [],
      next_goals: [],
      premises: sent?.premises ?? [],
    }),
    evidence: (evidence) => rows.evidence(evidence),
    closed: (evidence) => rows.closed(evidence),
  };
}
