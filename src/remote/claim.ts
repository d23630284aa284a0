import * as z from 'zod';
import type { RunEvent } from '../shared/events.ts';

/** What a worker is asked: the goal as its domain describes it. */
export interface RemoteTask {
  readonly goal: unknown;
  /** Workers whose answers to this goal were refused: it is for others. */
  readonly refused: readonly string[];
}

/**
 * What a worker says of a goal when it has done with it. Nobody believes it: a proof is judged where the run is, and so is an instance that
 * shows the goal to be false, or the word that it cannot be read; everything else only says where time went.
 */
export const claimSchema = z.object({
  proof: z.string().nullable(),
  /** The instance that shows it to be false. */
  refuted: z.string().nullable(),
  premises: z.array(z.string()),
  reason: z.string(),
  cpuSeconds: z.number().nonnegative(),
  attempts: z.number().int().nonnegative(),
  /** Null where it could not be opened. */
  facts: z
    .object({
      goalHash: z.string(),
      fingerprint: z.string(),
      context: z.string(),
      features: z.record(z.string(), z.number()),
    })
    .nullable(),
});
export type RemoteClaim = z.infer<typeof claimSchema>;

/**
 * What a worker's own engine tells, as the ledger may have it: attempts and their costs as they are, but no proof. What its gate accepted
 * is a claim until a judge on the coordinator's side has accepted it too.
 */
export function asClaim(event: RunEvent): RunEvent {
  if (event.type === 'candidate-judged' && event.verdict === 'accepted')
    return {
      ...event,
      verdict: 'unknown',
      kind: 'claimed',
      message: 'accepted by a worker',
      assurance: null,
    };
  if (event.type === 'goal-closed' && event.solved)
    return { ...event, solved: false, assurance: null, reason: 'claimed: the coordinator judges it' };
  if (event.type === 'ticket-completed') {
    const { run, at, ticket_id } = event;
    return { type: 'note', run, at, level: 'info', text: `the lemma ${ticket_id} is claimed` };
  }
  if (event.type === 'run-finished') return { ...event, goals_solved: 0 };
  return event;
}
