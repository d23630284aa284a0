import type { CoverageView } from './coverage.ts';
import type { DifficultyLabel, RunEvent } from './events.ts';
import type { GoalStatus } from './ledger.ts';
import type { goalView } from './schemas/goal-view.ts';
import type * as answers from './schemas/responses.ts';
import type * as rows from './schemas/rows.ts';
import type { Answer } from './schemas/rows.ts';

/**
 * The answers of the dashboard's server, which its page reads. Times are milliseconds since 1970, durations
 * seconds, sizes bytes.
 * `src/shared/schemas/` has them as schemas; GET /api/openapi.json is made from those.
 *
 * `run` is `latest` (the default) or the id of a run. A refused request gets an `ApiError`, with status 400 (a
 * parameter), 401 (the token), 403 (Host or Origin), 404, 409 (that run cannot do that), 413 or 415.
 *
 * The page is answered at every path outside /api and /metrics that names no file, so each view can be a URL. The token for
 * POST is in the page's own address (`/?token=…`) and goes into the header `Authorization: Bearer TOKEN`; the content type is
 * application/json.
 */

/** Server-sent events, at most ten messages per second. The browser resumes automatically with Last-Event-ID. */
export interface ServerMessages {
  /** New events of all runs, oldest first. The message's `id` is the `seq` of the last one. */
  events: readonly RunEvent[];
  /** Heartbeat: sent when a client connects, and every few seconds if nothing else is sent. */
  heartbeat: Heartbeat;
  /** Too many events since the client's last one: reload everything. Events after this one follow. */
  reset: { readonly seq: number };
}
interface Heartbeat {
  readonly seq: number;
  readonly at: number;
}
/** A client that has received nothing for this long has lost its connection. */
export const silenceMs = 12_000;

export type Health = Answer<typeof answers.health>;
export type RunSummary = Answer<typeof rows.runSummary>;
export type RunState = RunSummary['state'];
export type RunFigures = RunSummary['so_far'];
export type Runs = Answer<typeof answers.runs>;
export type Stats = Answer<typeof answers.stats>;
export type InFlightAttempt = Answer<typeof rows.inFlightAttempt>;
export type CacheStats = Answer<typeof rows.cache>;
export type CacheEntry = CacheStats['entries'][number];
export type Marketplace = Answer<typeof answers.marketplace>;
export type Moment = Answer<typeof answers.moment>;
export type RunDetail = Answer<typeof answers.runDetail>;
export type ScorePoint = RunDetail['scores'][number];
export type ProgressPoint = RunDetail['progress'][number];
export type GoalPage = Answer<typeof answers.goalPage>;
export type GoalGroup = GoalPage['groups'][number];
export type GoalListRow = Answer<typeof rows.goalListRow>;
export type GoalView = Answer<typeof goalView>;
export type GoalPlace = NonNullable<GoalView['place']>;
export type GoalSearch = Answer<typeof answers.goalSearch>;
export type RunComparison = Answer<typeof answers.runComparison>;
export type ComparedGoal = RunComparison['gained'][number];
export type Cell = RunComparison['totals'][number]['a'];
export type ControlAccepted = Answer<typeof answers.controlAccepted>;
export type Promoted = Answer<typeof answers.promotion>;
export type ControlRow = Answer<typeof rows.controlRow>;
export type ApiError = Answer<typeof answers.apiError>;

export const seriesLength = 600;

/** `failures`: unsolved goals first, then active ones, each with the newest attempt first. */
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

/** Fields by which goals can be grouped. */
export const goalGroupings = ['file', 'topic', 'status'] as const;
export type GoalGrouping = (typeof goalGroupings)[number];

export interface GoalQuery {
  /** Any of these; none: all. In a URL: `status=unsolved,parked`. */
  readonly status: readonly GoalStatus[];
  readonly label: DifficultyLabel | null;
  readonly topic: string | null;
  readonly file: string | null;
  /** The helper lemmas of the run instead of the requested goals. */
  readonly lemmas: boolean;
  /** Only goals whose latest attempt ended after this moment. */
  readonly since: number | null;
  /** Words that must all occur in name, statement, topic or latest error, ignoring case. */
  readonly search: string;
  /** Groups goals; `sort` orders them within a group. */
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
  lemmas: false,
  since: null,
  search: '',
  group: null,
  sort: 'failures',
  order: 'ascending',
  offset: 0,
  limit: 100,
};

export const listTextLength = 600;

/** A user's request to a live run, obeyed within about a second. */
export type ControlBody = { readonly run?: string } & (
  | { readonly action: 'pause' | 'resume' }
  | { readonly action: 'retry' | 'cancel'; readonly goal: string }
  /** 0 to 1; the highest runs first. */
  | { readonly action: 'priority'; readonly goal: string; readonly priority: number }
);

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
  /** In the order in which they were added, with complete texts. */
  readonly goals: readonly GoalListRow[];
  /** By name; each with its newest `reportedAttempts` attempts. */
  readonly views: Readonly<Record<string, GoalView>>;
  /** By goal name, for goals with a search; the first `reportedStates` states of each. */
  readonly searches: Readonly<Record<string, GoalSearch>>;
  /** The run at evenly spaced moments. */
  readonly history: readonly Moment[];
}
export const reportElementId = 'orch-report';
/** The element of the page that contains the glossary as JSON. */
export const wordsElementId = 'orch-words';
export const reportedAttempts = 100;
export const reportedMoments = 40;
export const momentGoals = 400;
export const reportedStates = 60;
