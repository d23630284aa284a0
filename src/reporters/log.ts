import type { EventType, RunEvent } from '../shared/events.ts';

/** The part of a log used here. */
export interface EventLog {
  readonly trace: Write;
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
type Write = (fields: object, text: string) => void;

const levels: Readonly<Record<Exclude<EventType, 'note'>, keyof EventLog>> = {
  'run-started': 'info',
  'run-finished': 'info',
  'goal-added': 'trace',
  'goal-opened': 'debug',
  'goal-examined': 'trace',
  'goal-charged': 'trace',
  'slate-started': 'debug',
  'goal-parked': 'debug',
  'goal-closed': 'info',
  'attempt-started': 'trace',
  'attempt-finished': 'debug',
  'candidate-judged': 'debug',
  'proof-audited': 'info',
  'ticket-opened': 'info',
  'ticket-claimed': 'info',
  'ticket-completed': 'info',
  'ticket-joined': 'info',
  'ticket-refuted': 'info',
  'ticket-merged': 'info',
  pinned: 'info',
  'control-requested': 'info',
  'control-obeyed': 'info',
  pruned: 'info',
  sample: 'trace',
};

/**
 * A listener that logs every event. Notes only when the log is a file: on a terminal the reporter has already shown them.
 */
export function logEvents(log: EventLog, { notes }: { readonly notes: boolean }): (event: RunEvent) => void {
  return (event) => {
    const { type, ...fields } = event;
    if (event.type !== 'note') log[levels[event.type]](fields, type);
    else if (notes)
      log[({ info: 'info', warning: 'warn', error: 'error' } as const)[event.level]](
        { run: event.run },
        event.text,
      );
  };
}
