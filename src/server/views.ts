import { labelOf } from '../core/difficulty.ts';
import {
  seriesLength,
  type CacheStats,
  type ControlRow,
  type GoalPage,
  type GoalQuery,
  type GoalSearch,
  type GoalView,
  type InFlightAttempt,
  type Marketplace,
  type RunDetail,
  type RunFigures,
  type Runs,
  type RunState,
  type RunSummary,
  type Stats,
} from '../shared/api.ts';
import type { DifficultyLabel, EventOf, Sample } from '../shared/events.ts';
import { countByStatus, isAskedFor, isClosed, queryGoals } from '../shared/goal-query.ts';
import type { GoalStanding, RunRow, StrategyRow, TicketRow } from '../shared/ledger.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { searchTreesOf } from '../store/ledger/search-tree.ts';
import { summarise } from '../store/ledger/summary.ts';
import { goalPlace, type EditorLink } from './goal-place.ts';
import type { GoalRows } from './goal-shelf.ts';
import { Problem } from './problems.ts';
import { latestRun } from './schemas/requests.ts';

/** The API's answers, read from the ledger. `now`: milliseconds since 1970. */

const dayMs = 86_400_000;
/** A run sends a heartbeat every few seconds. After this long without one, it was killed or its machine sleeps. */
const silentMs = 10_000;
const listedRuns = 200;
const listedTickets = 500;
const listedEntries = 100;
const listedNotes = 100;

/** `goals`: those of the requested run. */
export async function statsOf(ledger: Ledger, { seq, run, rows }: GoalRows, now: number): Promise<Stats> {
  const { views } = ledger;
  const goals = rows.filter(isAskedFor);
  const row = run === null ? undefined : await knownRun(ledger, run);
  const sample = row && (await views.lastSampleOf(row.run));
  const arms = await views.arms(0);
  const { since: _since, runs: _runs, ...whole } = await summarise(ledger, null);
  return {
    ...whole,
    seq,
    at: now,
    run: row ? await summaryOfRun(ledger, row, now) : null,
    goals: countByStatus(goals),
    queue: queueOf(goals),
    in_flight: row ? await views.running(row.run) : [],
    sample: sample ? bareSample(sample) : null,
    totals: await views.totals(),
    arms,
    arms_last_day: await views.arms(now - dayMs),
    hours: await views.strategiesByHour(now - dayMs),
    cache: await cacheOf(ledger, arms),
  };
}

export async function runsOf(ledger: Ledger, now: number): Promise<Runs> {
  const rows = await ledger.views.runs(listedRuns);
  return { runs: await Promise.all(rows.map(async (row) => await summaryOfRun(ledger, row, now))) };
}

export async function runDetailOf(
  ledger: Ledger,
  { seq, run, rows }: GoalRows,
  now: number,
): Promise<RunDetail> {
  const { views } = ledger;
  const row = await knownRun(ledger, run ?? latestRun);
  const samples = await views.samplesOf(row.run, seriesLength);
  return {
    seq,
    run: await summaryOfRun(ledger, row, now),
    goals: countByStatus(rows.filter(isAskedFor)),
    arms: await views.armsOf(row.run),
    samples: samples.map(bareSample),
    scores: await views.scoresOf(row.run, seriesLength),
    progress: await views.progressOf(row.run, seriesLength),
    notes: await views.notesOf(row.run, listedNotes),
    controls: await views.controlsOf(row.run, listedNotes),
  };
}

export function goalPageOf({ seq, run, rows }: GoalRows, query: GoalQuery): GoalPage {
  return { seq, run, ...queryGoals(rows, query) };
}

/** Data shared by the views of a run's goals, read once for a report. */
export interface ViewParts {
  readonly seq: number;
  readonly run: string;
  readonly running: readonly InFlightAttempt[];
  readonly tickets: readonly TicketRow[];
  readonly controls: readonly ControlRow[];
  /** Editor URL; null in a report, which may be read elsewhere. */
  readonly editor: EditorLink | null;
}

export async function surroundingsOf(
  ledger: Ledger,
  run: string,
  editor: EditorLink | null,
): Promise<ViewParts> {
  const { run: id } = await knownRun(ledger, run);
  return {
    seq: await ledger.journal.lastSeq(),
    run: id,
    running: await ledger.views.running(id),
    tickets: await ledger.tickets.all(),
    controls: await ledger.views.controlsOf(id, listedNotes),
    editor,
  };
}

export async function goalViewOf(ledger: Ledger, around: ViewParts, goal: string): Promise<GoalView> {
  const { seq, run: id, running, tickets, controls, editor } = around;
  const found = await ledger.views.goal(id, goal);
  if (!found) throw new Problem(404, 'no-goal', `run ${id} has no goal ${goal}`);
  const { task, ...detail } = found;
  const last = detail.attempt_rows.at(-1);
  return {
    ...detail,
    seq,
    place: goalPlace(task, detail.proofs.at(-1)?.proof ?? null, editor),
    latest: last ? Math.round(last.started + last.wall_seconds * 1000) : null,
    in_flight: running.filter((attempt) => attempt.goal === goal),
    tickets: tickets.filter(({ requester }) => requester === goal),
    controls: controls.filter((control) => control.goal === goal),
  };
}

export async function goalSearchOf(ledger: Ledger, run: string, goal: string): Promise<GoalSearch> {
  const { run: id } = await knownRun(ledger, run);
  const found = await ledger.views.goal(id, goal);
  if (!found) throw new Problem(404, 'no-goal', `run ${id} has no goal ${goal}`);
  return { trees: await searchTreesOf(ledger.experience, found) };
}

export async function marketplaceOf(ledger: Ledger): Promise<Marketplace> {
  const tickets = await ledger.tickets.all();
  const listed = tickets.slice(0, listedTickets);
  const ids = new Set(listed.map(({ ticket_id }) => ticket_id));
  const requests = await ledger.tickets.requests();
  const count = (wanted: string): number => tickets.filter(({ status }) => status === wanted).length;
  return {
    open: count('open'),
    claimed: count('claimed'),
    completed: count('completed'),
    refuted: count('refuted'),
    merged: count('merged'),
    tickets: listed,
    requests: requests.filter(({ ticket_id }) => ids.has(ticket_id)),
  };
}

export async function knownRun({ views }: Ledger, run: string): Promise<RunRow> {
  const row = run === latestRun ? (await views.runs(1))[0] : await views.run(run);
  if (row) return row;
  const message = run === latestRun ? 'there is no run yet' : `there is no run ${run}`;
  throw new Problem(404, 'no-run', message, 'GET /api/runs lists them.');
}

export async function summaryOfRun(ledger: Ledger, row: RunRow, now: number): Promise<RunSummary> {
  const state = await stateOf(ledger, row, now);
  const paused = state !== 'finished' && (await ledger.views.isPaused(row.run));
  return { ...row, state, paused, so_far: await figuresOf(ledger, row) };
}

/** For a live run: its last sample. */
async function figuresOf({ views }: Ledger, row: RunRow): Promise<RunFigures> {
  const { started, cpu_seconds, wall_seconds, utilisation } = row;
  if (cpu_seconds !== null && wall_seconds !== null) return { cpu_seconds, wall_seconds, utilisation };
  const sample = await views.lastSampleOf(row.run);
  return {
    cpu_seconds: sample?.cpu_seconds ?? 0,
    wall_seconds: Math.max(0, (sample?.at ?? started) - started) / 1000,
    utilisation: sample?.utilisation ?? null,
  };
}

async function stateOf(
  { views }: Ledger,
  { run, started, finished }: RunRow,
  now: number,
): Promise<RunState> {
  if (finished !== null) return 'finished';
  const heard = Math.max((await views.heard(run)) ?? started, (await views.lastSampleOf(run))?.at ?? started);
  return now - heard <= silentMs ? 'live' : 'lost';
}

function bareSample(event: EventOf<'sample'>): Sample & { at: number } {
  const { type: _type, run: _run, seq: _seq, ...sample } = event;
  return sample;
}

function queueOf(goals: readonly GoalStanding[]): Record<DifficultyLabel, number> {
  const queue = { easy: 0, medium: 0, hard: 0 };
  for (const { status, label, difficulty } of goals)
    if (!isClosed(status)) queue[label ?? labelOf(difficulty)]++;
  return queue;
}

async function cacheOf({ views }: Ledger, arms: readonly StrategyRow[]): Promise<CacheStats> {
  const sum = (key: 'attempts' | 'attempts_with_hits' | 'cache_hits'): number =>
    arms.reduce((total, arm) => total + arm[key], 0);
  return {
    cached_goals: (await views.totals()).cached_goals,
    cache_hits: sum('cache_hits'),
    attempts: sum('attempts'),
    attempts_with_hits: sum('attempts_with_hits'),
    entries: await views.cacheEntries(listedEntries),
  };
}
