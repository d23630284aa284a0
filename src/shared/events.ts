import type { AttemptFinished, AttemptStarted, CandidateJudged, ProofAudited } from './events/attempt.ts';
import type { ControlObeyed, ControlRequested } from './events/control.ts';
import type {
  GoalAdded,
  GoalCharged,
  GoalClosed,
  GoalExamined,
  GoalOpened,
  GoalParked,
  SlateStarted,
} from './events/goal.ts';
import type { Note, Pruned, RunFinished, RunStarted, Sample } from './events/run.ts';
import type {
  Pinned,
  Ticket,
  TicketClaimed,
  TicketCompleted,
  TicketJoined,
  TicketMerged,
  TicketRefuted,
} from './events/ticket.ts';

export * from './events/attempt.ts';
export type * from './events/columns.ts';
export * from './events/control.ts';
export * from './events/goal.ts';
export * from './events/run.ts';
export * from './events/ticket.ts';

/**
 * Everything that happens in a run, as one closed map. The engine writes each event to the ledger and then passes it
 * to the listeners: terminal, JSON, live page, metrics and tests all read the same events, and nothing reads back from them.
 * Field names are those of the ledger's columns and of the JSON that scripts read.
 */
export interface EventBodies {
  'run-started': RunStarted;
  'run-finished': RunFinished;
  /** A goal was queued. */
  'goal-added': GoalAdded;
  /** Lean has elaborated the goal: its identity and its features are known now. */
  'goal-examined': GoalExamined;
  /** A cost of a goal that no other event reports, such as a failed opening or polishing. */
  'goal-charged': GoalCharged;
  /** Decision: this goal gets a worker. */
  'goal-opened': GoalOpened;
  /** Decision: these arms race for this goal. */
  'slate-started': SlateStarted;
  /** Decision: the goal waits, for some time or for a helper lemma. */
  'goal-parked': GoalParked;
  /** Decision: the goal is solved, refuted, or given up. */
  'goal-closed': GoalClosed;
  'attempt-started': AttemptStarted;
  'attempt-finished': AttemptFinished;
  /** The gate has judged a candidate. */
  'candidate-judged': CandidateJudged;
  /** `orch ledger audit` has judged a proof again. */
  'proof-audited': ProofAudited;
  'ticket-opened': Ticket;
  'ticket-joined': TicketJoined;
  'ticket-claimed': TicketClaimed;
  'ticket-completed': TicketCompleted;
  'ticket-refuted': TicketRefuted;
  'ticket-merged': TicketMerged;
  pinned: Pinned;
  /** A user's request to the run, from any process; not yet handled. */
  'control-requested': ControlRequested;
  /** The run handled the request, or refused it with a reason. */
  'control-obeyed': ControlObeyed;
  /** Once per second while there is work: the state of machine and workers. */
  sample: Sample;
  /** `orch ledger prune` has removed events; their numbers are missing. */
  pruned: Pruned;
  /** A one-line message for the user. */
  note: Note;
}
export type EventType = keyof EventBodies;

/** An event in the ledger; `seq` is its number, which only grows. */
export type RunEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly run: string;
    /** Milliseconds since 1970. */
    readonly at: number;
    readonly seq?: number;
  } & EventBodies[Type];
}[EventType];
export type EventOf<Type extends EventType> = Extract<RunEvent, { type: Type }>;

/** Combines a type and its body into an event. */
export function eventOf<Type extends EventType>(
  head: { readonly type: Type; readonly run: string; readonly at: number },
  body: EventBodies[Type],
): RunEvent {
  return { ...head, ...body } as RunEvent;
}
