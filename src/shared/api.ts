import type { CoverageView } from './coverage.ts';
import type {
  ArmChoice,
  ControlAction,
  ControlObeyed,
  ControlRequested,
  DifficultyLabel,
  EventOf,
  RunEvent,
  Sample,
} from './events.ts';
import type {
  GoalDetail,
  GoalRow,
  GoalStatus,
  RunRow,
  Stats as LedgerStats,
  StrategyHour,
  StrategyRow,
  TicketRow,
  Totals,
} from './ledger.ts';
import type { SearchTree } from './search-tree.ts';

/**
 * What the dashboard's server answers and its page reads. Times are milliseconds since 1970, durations seconds, sizes bytes.
 * `src/server/schemas.ts` has the same as schemas; GET /api/openapi.json is made from those.
 *
 *     GET  /api/health                        Health
 *     GET  /api/stats[?run=]                  Stats
 *     GET  /api/marketplace                   Marketplace
 *     GET  /api/runs                          Runs, newest first
 *     GET  /api/runs/:run                     RunDetail
 *     GET  /api/goals[?run=&status=…]         GoalPage (GoalQuery as query parameters)
 *     GET  /api/goals/:goal[?run=]            GoalView; `:goal` is encodeURIComponent(goal)
 *     GET  /api/coverage                      CoverageView (shared/coverage.ts)
 *     GET  /api/search/:goal[?run=]           GoalSearch
 *     GET  /api/compare?a=&b=                 RunComparison
 *     GET  /api/events[?since=]               server-sent events, see below
 *     POST /api/control                       ControlBody → 202 ControlAccepted
 *
 * `run` is `latest` (the default) or the id of a run. Whatever is refused answers an `ApiError`, with status 400 (a
 * parameter), 401 (the token), 403 (Host or Origin), 404, 409 (that run cannot do that), 413 or 415.
 *
 * The page is answered at every path outside /api and /metrics that names no file, so each view can be a URL. The token for
 * POST is in the page's own address (`/?token=…`) and goes into the header `Authorization: Bearer TOKEN`; the content type is
 * application/json.
 */

/** Server-sent events, at most ten messages a second. The browser resumes by itself, with Last-Event-ID. */
export interface ServerMessages {
  /** New events of all runs, oldest first; the message's `id` is the `seq` of the last one. */
  events: readonly RunEvent[];
  /** Every few seconds when nothing else is sent, and at once when a client connects: the connection is alive. */
  heartbeat: Heartbeat;
  /** Too much has happened since the client's last event: load everything again. Events after this one follow. */
  reset: { readonly seq: number };
}
interface Heartbeat {
  readonly seq: number;
  readonly at: number;
}
/** A client that has received nothing for this long has lost its connection. */
export const silenceMs = 12_000;

export interface Health {
  readonly status: 'ok';
  readonly version: string;
  /** Since the server started. */
  readonly uptime_seconds: number;
  readonly ledger: string;
  readonly seq: number;
  readonly clients: number;
}

/** `lost`: it never said that it ended, and it has said nothing for ten seconds. */
export const runStates = ['live', 'lost', 'finished'] as const;
export type RunState = (typeof runStates)[number];

export interface RunSummary extends RunRow {
  readonly state: RunState;
  readonly paused: boolean;
  /** The figures of a run that has finished, or what they come to so far. */
  readonly so_far: RunFigures;
}
export interface RunFigures {
  readonly cpu_seconds: number;
  readonly wall_seconds: number;
  readonly utilisation: number | null;
}

export interface Runs {
  readonly runs: readonly RunSummary[];
}

/** The overview: all that `orch stats --json` tells about the whole ledger, and what goes on right now. */
export interface Stats extends Omit<LedgerStats, 'since' | 'runs'> {
  /** Events up to here are included; /api/events?since= continues from there. */
  readonly seq: number;
  readonly at: number;
  /** Null while the ledger has no runs. */
  readonly run: RunSummary | null;
  /** Of that run. */
  readonly goals: Readonly<Record<GoalStatus, number>>;
  /** Of that run: goals that are not closed, by difficulty (easy below 0.35, hard from 0.65, unless the bank says so). */
  readonly queue: Readonly<Record<DifficultyLabel, number>>;
  /** Of that run: attempts that run right now. */
  readonly in_flight: readonly InFlightAttempt[];
  /** The newest sample of that run. */
  readonly sample: (Sample & { readonly at: number }) | null;
  /** Of the whole ledger, all runs. */
  readonly totals: Totals;
  /** Of the whole ledger, an arm each. */
  readonly arms: readonly StrategyRow[];
  readonly arms_last_day: readonly StrategyRow[];
  /** Of the last 24 hours. */
  readonly hours: readonly StrategyHour[];
  readonly cache: CacheStats;
}

export interface InFlightAttempt {
  readonly attempt: string;
  readonly goal: string;
  readonly strategy: string;
  readonly arm: string;
  readonly started: number;
}

export interface CacheStats {
  /** Goals for which some script is known to hold. */
  readonly cached_goals: number;
  readonly cache_hits: number;
  readonly attempts: number;
  readonly attempts_with_hits: number;
  /** The scripts that were judged most often. */
  readonly entries: readonly CacheEntry[];
}

export interface CacheEntry {
  readonly goal_hash: string;
  /** The newest goal with that identity, and its run; null for one that no run examined. */
  readonly goal: string | null;
  readonly run: string | null;
  readonly tactics: string;
  readonly use_count: number;
  readonly success_rate: number;
  /** CPU-seconds that judging it took. */
  readonly avg_time: number;
  readonly last_used: number;
}

export interface Marketplace {
  readonly open: number;
  readonly claimed: number;
  readonly completed: number;
  /** Open ones first, then by priority; at most 500. */
  readonly tickets: readonly TicketRow[];
}

/** One run with its course over time; both series are thinned to at most `seriesLength` points. */
export interface RunDetail {
  readonly seq: number;
  readonly run: RunSummary;
  readonly goals: Readonly<Record<GoalStatus, number>>;
  /** Of this run, an arm each. */
  readonly arms: readonly StrategyRow[];
  /** Oldest first. */
  readonly samples: readonly (Sample & { readonly at: number })[];
  /** What the bandit made of the arms, whenever a slate was chosen; oldest first. */
  readonly scores: readonly ScorePoint[];
  /** Closed goals over time, oldest first: how many were solved by then. */
  readonly progress: readonly ProgressPoint[];
  /** Notes, newest first; at most 100. */
  readonly notes: readonly EventOf<'note'>[];
  /** Requests of people, newest first; at most 100. */
  readonly controls: readonly ControlRow[];
}
export const seriesLength = 600;

export interface ScorePoint {
  readonly at: number;
  readonly arms: readonly ArmChoice[];
}

export interface ProgressPoint {
  readonly at: number;
  readonly closed: number;
  readonly solved: number;
}

/** `failures`: unsolved goals first, then those under way, the newest attempt first. */
export const goalSorts = [
  'failures',
  'goal',
  'status',
  'difficulty',
  'priority',
  'attempts',
  'cpu_seconds',
  'latest',
] as const;
export type GoalSort = (typeof goalSorts)[number];

/** What goals may stand together by. */
export const goalGroupings = ['file', 'topic', 'status'] as const;
export type GoalGrouping = (typeof goalGroupings)[number];

export interface GoalQuery {
  /** Any of these; none: all. In a URL: `status=unsolved,parked`. */
  readonly status: readonly GoalStatus[];
  readonly label: DifficultyLabel | null;
  readonly topic: string | null;
  readonly file: string | null;
  /** Words that must all occur in name, statement, topic or latest error; upper and lower case are the same. */
  readonly search: string;
  /** Goals of a group stand together, and `sort` orders them there. */
  readonly group: GoalGrouping | null;
  readonly sort: GoalSort;
  readonly order: 'ascending' | 'descending';
  readonly offset: number;
  /** 1 to 500. */
  readonly limit: number;
}
export const defaultGoalQuery: GoalQuery = {
  status: [],
  label: null,
  topic: null,
  file: null,
  search: '',
  group: null,
  sort: 'failures',
  order: 'ascending',
  offset: 0,
  limit: 100,
};

export interface GoalPage {
  readonly seq: number;
  readonly run: string | null;
  /** How many match. */
  readonly total: number;
  /** All goals of the run, whatever the query says. */
  readonly counts: Readonly<Record<GoalStatus, number>>;
  readonly topics: readonly string[];
  /** Of those that match, in the order of the list; empty unless the query groups. */
  readonly groups: readonly GoalGroup[];
  readonly goals: readonly GoalListRow[];
}

export interface GoalGroup {
  /** A file, a topic or a status; empty for goals that have none. */
  readonly name: string;
  readonly total: number;
  readonly counts: Readonly<Record<GoalStatus, number>>;
}

/** Statement and latest error are cut to `listTextLength` characters here; the goal's own page has them whole. */
export interface GoalListRow extends GoalRow {
  /** When its latest attempt ended. */
  readonly latest: number | null;
}
export const listTextLength = 600;

export interface GoalView extends Omit<GoalDetail, 'task'> {
  readonly seq: number;
  /** Where its proof belongs, where that is known. */
  readonly place: GoalPlace | null;
  readonly latest: number | null;
  readonly in_flight: readonly InFlightAttempt[];
  /** Helper lemmas that it asked for. */
  readonly tickets: readonly TicketRow[];
  readonly controls: readonly ControlRow[];
}

export interface GoalPlace {
  readonly file: string;
  /** Counted from 1, both. */
  readonly line: number;
  readonly column: number;
  /** An address that opens an editor there; null in a report. */
  readonly editor: string | null;
  /** The newest proof as a patch of the file, as it was when it was read. */
  readonly patch: string | null;
}

/** What searches did with a goal: of its whole statement, or of each hole of its proof. */
export interface GoalSearch {
  readonly trees: readonly SearchTree[];
}

export interface RunComparison {
  readonly a: RunSummary;
  readonly b: RunSummary;
  /** Solved in B and not in A; solved in A and not in B. */
  readonly gained: readonly ComparedGoal[];
  readonly lost: readonly ComparedGoal[];
  /** Solved in both, at a cost that differs by more than noise; the greatest change first. */
  readonly slower: readonly ComparedGoal[];
  readonly faster: readonly ComparedGoal[];
  readonly only_in_a: readonly string[];
  readonly only_in_b: readonly string[];
  readonly both: number;
  readonly totals: readonly { readonly name: string; readonly a: Cell; readonly b: Cell }[];
}
export interface ComparedGoal {
  readonly goal: string;
  readonly cpu_seconds_a: number;
  readonly cpu_seconds_b: number;
}
export type Cell = number | string | null;

/** What a person asks of a run that is under way; it is obeyed within about a second. */
export type ControlBody = { readonly run?: string } & (
  | { readonly action: 'pause' | 'resume' }
  | { readonly action: 'retry' | 'cancel'; readonly goal: string }
  /** 0 to 1; the highest comes first. */
  | { readonly action: 'priority'; readonly goal: string; readonly priority: number }
);

export interface ControlAccepted {
  /** The number of the event `control-requested`; `control-obeyed` follows, with this as its `request`. */
  readonly seq: number;
  readonly run: string;
  readonly action: ControlAction;
}

export interface ControlRow extends ControlRequested {
  readonly seq: number;
  readonly at: number;
  /** Null until the run has seen it. */
  readonly obeyed: (Pick<ControlObeyed, 'refused'> & { readonly at: number }) | null;
}

export interface ApiError {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null };
}

/**
 * `orch report` writes one file: the page with this object as JSON in
 * `<script type="application/json" id="orch-report">`. A page that finds the element answers every question from it, asks no
 * server, and offers nothing that changes state. Goals are filtered by `queryGoals` (goal-query.ts), there as on the server.
 */
export interface Report {
  readonly version: 1;
  readonly made: number;
  readonly stats: Stats;
  readonly run: RunDetail;
  readonly runs: Runs;
  readonly marketplace: Marketplace;
  readonly coverage: CoverageView;
  /** In the order in which they were added, with whole texts. */
  readonly goals: readonly GoalListRow[];
  /** By name; each with its newest `reportedAttempts` attempts. */
  readonly views: Readonly<Record<string, GoalView>>;
  /** By the goal's name, where there is a search; the first `reportedStates` states of each. */
  readonly searches: Readonly<Record<string, GoalSearch>>;
}
export const reportElementId = 'orch-report';
/** The page carries the glossary as JSON, word by word, in an element with this id. */
export const wordsElementId = 'orch-words';
export const reportedAttempts = 100;
export const reportedStates = 60;
