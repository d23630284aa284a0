import { momentGoals, reportedMoments, type Moment } from '../shared/api.ts';
import { costOf } from '../shared/cost.ts';
import type { RunEvent } from '../shared/events.ts';
import { countByStatus } from '../shared/goal-query.ts';
import type { GoalStatus } from '../shared/ledger.ts';
import { endWord } from '../shared/run-end.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { knownRun } from './views.ts';

const listedEvents = 12;

/** State of a run at a moment; default: now or its end. */
export async function momentOf(ledger: Ledger, run: string, at?: number): Promise<Moment> {
  const { run: id } = await knownRun(ledger, run);
  return momentIn(id, await ledger.journal.eventsOf(id), at);
}

/** The run at evenly spaced moments, for a report. */
export async function momentsOf(ledger: Ledger, run: string): Promise<Moment[]> {
  const events = await ledger.journal.eventsOf(run);
  const { from, to } = spanOf(events);
  return Array.from({ length: reportedMoments }, (_, index) =>
    momentIn(run, events, Math.ceil(from + ((to - from) * index) / (reportedMoments - 1))),
  );
}

function momentIn(run: string, events: readonly RunEvent[], wanted?: number): Moment {
  const { from, to } = spanOf(events);
  const at = Math.min(to, Math.max(from, wanted ?? to));
  const past = events.filter((event) => event.at <= at);
  const goals = new Map<string, { goal: string; status: GoalStatus }>();
  const running = new Map<string, Moment['in_flight'][number]>();
  let cpuSeconds = 0;
  for (const event of past) {
    cpuSeconds += costOf(event)?.cpu_seconds ?? 0;
    if (event.type === 'goal-added' && event.requester === null)
      goals.set(event.goal, { goal: event.goal, status: 'queued' });
    if (event.type === 'attempt-started') {
      const { attempt, goal, strategy, arm } = event;
      running.set(attempt, { attempt, goal, strategy, arm, started: event.at });
    }
    if (event.type === 'attempt-finished') running.delete(event.attempt);
    if (event.type === 'run-finished') running.clear();
    const status = statusAfter(event);
    const known = status && 'goal' in event ? goals.get(event.goal ?? '') : undefined;
    if (status && known) known.status = status;
    if (event.type === 'run-finished')
      for (const each of goals.values())
        if (each.status === 'queued' || each.status === 'racing' || each.status === 'parked')
          each.status = 'stopped';
  }
  return {
    run,
    from,
    to,
    at,
    goals: countByStatus([...goals.values()]),
    cpu_seconds: cpuSeconds,
    in_flight: [...running.values()],
    states: [...goals.values()].slice(0, momentGoals),
    events: past
      .flatMap((event) => {
        const text = wordsOf(event);
        return text === undefined
          ? []
          : [{ at: event.at, goal: 'goal' in event ? (event.goal ?? null) : null, text }];
      })
      .slice(-listedEvents)
      .toReversed(),
  };
}

function spanOf(events: readonly RunEvent[]): { readonly from: number; readonly to: number } {
  return { from: events[0]?.at ?? 0, to: events.at(-1)?.at ?? 0 };
}

/** The fields that the ledger's triggers would change (sql/ledger/0003_derived.sql); undefined if none. */
function statusAfter(event: RunEvent): GoalStatus | undefined {
  if (event.type === 'slate-started') return 'racing';
  if (event.type === 'goal-parked') return 'parked';
  if (event.type === 'goal-closed')
    return event.solved ? 'solved' : event.refuted === null ? 'unsolved' : 'refuted';
  const isRetry = event.type === 'control-obeyed' && event.action === 'retry' && event.refused === null;
  return isRetry ? 'queued' : undefined;
}

/** An event as a sentence; undefined if it is not worth showing. */
function wordsOf(event: RunEvent): string | undefined {
  if (event.type === 'run-started') return 'the run started';
  if (event.type === 'run-finished') return `the run ended: ${endWord(event.reason)}`;
  if (event.type === 'attempt-started') return `${event.arm} started`;
  if (event.type === 'attempt-finished') return `${event.arm}: ${event.outcome}`;
  if (event.type === 'goal-parked') return 'parked';
  if (event.type === 'goal-closed')
    return event.solved ? `proved by ${event.arm ?? 'a known proof'}` : `not proved: ${event.reason}`;
  if (event.type === 'ticket-opened') return 'requested a helper lemma';
  if (event.type === 'ticket-completed') return 'a helper lemma was proved';
  if (event.type === 'ticket-refuted') return `a helper lemma is false: ${event.counterexample}`;
  if (event.type === 'control-obeyed' && event.refused === null) return `${event.action} requested`;
  return event.type === 'note' ? event.text : undefined;
}
