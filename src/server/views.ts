import { labelOf } from '../core/difficulty.ts';
import {
  seriesLength,
  type CacheStats,
  type ControlRow,
  type GoalListRow,
  type GoalPage,
  type GoalQuery,
  type GoalView,
  type InFlightAttempt,
  type Marketplace,
  type RunDetail,
  type Runs,
  type RunState,
  type RunSummary,
  type Stats,
} from '../shared/api.ts';
import type { DifficultyLabel, EventOf, Sample } from '../shared/events.ts';
import { countByStatus, isClosed, queryGoals } from '../shared/goal-query.ts';
import type { GoalState, RunRow, StrategyRow, TicketRow } from '../shared/ledger.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { summarise } from '../store/ledger/summary.ts';
import { Problem } from './problems.ts';
import { latestRun } from './schemas/requests.ts';

/** What the API answers, read from the ledger. `now`: milliseconds since 1970. */

const dayMs = 86_400_000;
/** A run tells of itself once a second; one that has been silent for so long was killed, or its machine sleeps. */
const silentMs = 10_000;
const listedRuns = 200;
const listedTickets = 500;
const listedEntries = 100;
const listedNotes = 100;

export function statsOf(ledger: Ledger, run: string, now: number): Stats {
  const seq = ledger.lastSeq();
  const row = run === latestRun ? ledger.runs(1)[0] : knownRun(ledger, run);
  const goals = row ? ledger.goalStates(row.run) : [];
  const sample = row && ledger.lastSampleOf(row.run);
  const arms = ledger.arms(0);
  const { since: _since, runs: _runs, ...whole } = summarise(ledger, null);
  return {
    ...whole,
    seq,
    at: now,
    run: row ? summaryOf(ledger, row, now) : null,
    goals: countByStatus(goals),
    queue: queueOf(goals),
    in_flight: row ? ledger.running(row.run) : [],
    sample: sample ? bareSample(sample) : null,
    totals: ledger.totals(),
    arms,
    arms_last_day: ledger.arms(now - dayMs),
    hours: ledger.strategiesByHour(now - dayMs),
    cache: cacheOf(ledger, arms),
  };
}

export function runsOf(ledger: Ledger, now: number): Runs {
  return { runs: ledger.runs(listedRuns).map((row) => summaryOf(ledger, row, now)) };
}

export function runDetailOf(ledger: Ledger, run: string, now: number): RunDetail {
  const seq = ledger.lastSeq();
  const row = knownRun(ledger, run);
  return {
    seq,
    run: summaryOf(ledger, row, now),
    goals: countByStatus(ledger.goalStates(row.run)),
    arms: ledger.armsOf(row.run),
    samples: ledger.samplesOf(row.run, seriesLength).map(bareSample),
    scores: ledger.scoresOf(row.run, seriesLength),
    progress: ledger.progressOf(row.run, seriesLength),
    notes: ledger.notesOf(row.run, listedNotes),
    controls: ledger.controlsOf(row.run, listedNotes),
  };
}

/** The rows that `goalPageOf` works on; the caller keeps them for as long as nothing has happened. */
export interface GoalRows {
  readonly seq: number;
  readonly run: string | null;
  readonly rows: readonly GoalListRow[];
}

export function goalRowsOf(ledger: Ledger, run: string): GoalRows {
  const seq = ledger.lastSeq();
  const id = run === latestRun ? ledger.runs(1)[0]?.run : knownRun(ledger, run).run;
  return { seq, run: id ?? null, rows: id === undefined ? [] : ledger.goalList(id) };
}

export function goalPageOf({ seq, run, rows }: GoalRows, query: GoalQuery): GoalPage {
  return { seq, run, ...queryGoals(rows, query) };
}

/** What the views of all goals of a run share: read once for a report. */
export interface Surroundings {
  readonly seq: number;
  readonly run: string;
  readonly running: readonly InFlightAttempt[];
  readonly tickets: readonly TicketRow[];
  readonly controls: readonly ControlRow[];
}

export function surroundingsOf(ledger: Ledger, run: string): Surroundings {
  const { run: id } = knownRun(ledger, run);
  return {
    seq: ledger.lastSeq(),
    run: id,
    running: ledger.running(id),
    tickets: ledger.tickets(),
    controls: ledger.controlsOf(id, listedNotes),
  };
}

export function goalViewOf(ledger: Ledger, around: Surroundings, goal: string): GoalView {
  const { seq, run: id, running, tickets, controls } = around;
  const detail = ledger.goal(id, goal);
  if (!detail) throw new Problem(404, 'no-goal', `run ${id} has no goal ${goal}`);
  const last = detail.attempt_rows.at(-1);
  return {
    ...detail,
    seq,
    latest: last ? Math.round(last.started + last.wall_seconds * 1000) : null,
    in_flight: running.filter((attempt) => attempt.goal === goal),
    tickets: tickets.filter(({ requester }) => requester === goal),
    controls: controls.filter((control) => control.goal === goal),
  };
}

export function marketplaceOf(ledger: Ledger): Marketplace {
  const tickets = ledger.tickets();
  const count = (wanted: string): number => tickets.filter(({ status }) => status === wanted).length;
  return {
    open: count('open'),
    claimed: count('claimed'),
    completed: count('completed'),
    tickets: tickets.slice(0, listedTickets),
  };
}

export function knownRun(ledger: Ledger, run: string): RunRow {
  const row = run === latestRun ? ledger.runs(1)[0] : ledger.run(run);
  if (row) return row;
  const message = run === latestRun ? 'there is no run yet' : `there is no run ${run}`;
  throw new Problem(404, 'no-run', message, 'GET /api/runs lists them.');
}

export function summaryOf(ledger: Ledger, row: RunRow, now: number): RunSummary {
  const state = stateOf(ledger, row, now);
  return { ...row, state, paused: state !== 'finished' && ledger.isPaused(row.run) };
}

function stateOf(ledger: Ledger, { run, started, finished }: RunRow, now: number): RunState {
  if (finished !== null) return 'finished';
  const heard = ledger.lastSampleOf(run)?.at ?? started;
  return now - heard <= silentMs ? 'live' : 'lost';
}

function bareSample(event: EventOf<'sample'>): Sample & { at: number } {
  const { type: _type, run: _run, seq: _seq, ...sample } = event;
  return sample;
}

function queueOf(goals: readonly GoalState[]): Record<DifficultyLabel, number> {
  const queue = { easy: 0, medium: 0, hard: 0 };
  for (const { status, label, difficulty } of goals)
    if (!isClosed(status)) queue[label ?? labelOf(difficulty)]++;
  return queue;
}

function cacheOf(ledger: Ledger, arms: readonly StrategyRow[]): CacheStats {
  const sum = (key: 'attempts' | 'attempts_with_hits' | 'cache_hits'): number =>
    arms.reduce((total, arm) => total + arm[key], 0);
  return {
    cached_goals: ledger.totals().cached_goals,
    cache_hits: sum('cache_hits'),
    attempts: sum('attempts'),
    attempts_with_hits: sum('attempts_with_hits'),
    entries: ledger.cacheEntries(listedEntries),
  };
}
