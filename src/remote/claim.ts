import * as z from 'zod';
import type { RunEvent } from '../shared/events.ts';

/** A run cannot keep a worker on one goal for longer than this many times the worker's own limit. */
const mostRelaxed = 100;

/** A job for a worker: the goal as its domain describes it. The database is shared, so the worker validates it. */
export const taskSchema = z.object({
  goal: z.looseObject({ id: z.string().min(1), relax: z.number().min(1).max(mostRelaxed).optional() }),
  /** Workers whose answers to this goal were refused; they skip it. */
  refused: z.array(z.string()),
  /** Roles of the database that may not have the job: `claim_jobs` enforces that. */
  roles: z.array(z.string()).default([]),
});
export type RemoteTask = z.infer<typeof taskSchema>;

/** Part of the version that runs and workers compare: 0.1.0 had no version number and another answer format. */
export const answerFormat = 'answers.2';

/** No field of an answer is larger; all together an answer has at most 4 MiB (`leave_answer`). */
export const claimLimits = {
  proof: 1_000_000,
  text: 10_000,
  name: 1000,
  premises: 1000,
  count: 1e9,
} as const;

/**
 * A worker's result for a goal. It is not trusted: proofs, counterexamples and reports of unreadable goals are checked by the run, which also computes the goal's identity and features. The other fields only report costs, and are bounded so that a lie cannot end a run.
 */
export const claimSchema = z.preprocess(
  upgraded,
  z.object({
    proof: z.string().max(claimLimits.proof).nullable(),
    /** The instance that shows the goal to be false. */
    refuted: z.string().max(claimLimits.text).nullable(),
    premises: z.array(z.string().max(claimLimits.name)).max(claimLimits.premises),
    reason: z.string().max(claimLimits.text),
    cpuSeconds: z.number().nonnegative().max(claimLimits.count),
    attempts: z.int().nonnegative().max(claimLimits.count),
    /** False: the worker could not read the goal. */
    opened: z.boolean(),
  }),
);
export type RemoteClaim = z.infer<typeof claimSchema>;

/** Version 0.1.0 sent identity and features of the goal, or null where it could not open it. */
function upgraded(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'opened' in body || !('facts' in body)) return body;
  return { ...body, opened: body.facts !== null };
}

/** The same claim cut to the limits; a proof that is too long is dropped. */
export function withinLimits({ proof, refuted, premises, reason, ...rest }: RemoteClaim): RemoteClaim {
  const { text, name, premises: most } = claimLimits;
  const isTooLong = (proof?.length ?? 0) > claimLimits.proof || (refuted?.length ?? 0) > text;
  return {
    ...rest,
    proof: isTooLong ? null : proof,
    refuted: isTooLong ? null : refuted,
    premises: premises.filter((premise) => premise.length <= name).slice(0, most),
    reason: isTooLong ? 'the result is too long to send' : reason.slice(0, text),
  };
}

/**
 * Events of a worker's engine in the form that the ledger stores: attempts and costs unchanged, but proofs only as claims until the coordinator's judge accepts them.
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
  if (event.type === 'ticket-completed' || event.type === 'ticket-refuted') {
    const { type, run, at, ticket_id } = event;
    const claim = type === 'ticket-completed' ? 'proved' : 'refuted';
    return {
      type: 'note',
      run,
      at,
      level: 'info',
      text: `a worker claims that the lemma ${ticket_id} is ${claim}`,
    };
  }
  if (event.type === 'run-finished') return { ...event, goals_solved: 0 };
  return event;
}
