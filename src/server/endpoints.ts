import * as z from 'zod';
import * as requests from './schemas/requests.ts';
import { coverage } from '../shared/schemas/coverage.ts';
import { goalView } from '../shared/schemas/goal-view.ts';
import * as responses from '../shared/schemas/responses.ts';

/** Every path under /api: `routes.ts` answers it, `openapi.ts` describes it, and a test compares the two. */
export interface Endpoint {
  readonly method: 'get' | 'post';
  /** As in OpenAPI: `{name}` is a parameter, percent-encoded. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly response: z.ZodType;
  readonly status?: 200 | 202;
  readonly type?: 'application/json' | 'text/event-stream';
  /** Possible error statuses besides 400 and 403. */
  readonly refusals?: readonly number[];
}

type Described = Pick<Endpoint, 'method' | 'summary' | 'response'>;
type More = Omit<Endpoint, keyof Described | 'path'>;

const at =
  (method: Endpoint['method']) =>
  <const Path extends string>(path: Path, summary: string, response: z.ZodType, more: More = {}) => ({
    method,
    path,
    summary,
    response,
    ...more,
  });
const [get, post] = [at('get'), at('post')];
const changes = { refusals: [401, 404, 409, 413, 415] };
const ofRun = { query: requests.runQuery, refusals: [404] };

export const endpoints = {
  health: get('/api/health', 'Health of the server', responses.health),
  stats: get('/api/stats', 'Overview: figures of a run and of the whole ledger', responses.stats, ofRun),
  marketplace: get('/api/marketplace', 'Requests for helper lemmas', responses.marketplace),
  runs: get('/api/runs', 'Runs, newest first', responses.runs),
  run: get('/api/runs/{run}', 'A run and its time series', responses.runDetail, { refusals: [404] }),
  history: get('/api/history/{run}', 'State of a run at one moment', responses.moment, {
    query: requests.historyQuery,
    refusals: [404],
  }),
  goals: get('/api/goals', 'Goals of a run, filtered, sorted and paged', responses.goalPage, {
    query: requests.goalQuery,
    refusals: [404],
  }),
  goal: get('/api/goals/{goal}', 'A goal with its attempts, slates and proofs', goalView, ofRun),
  coverage: get(
    '/api/coverage',
    'The project’s blueprint: coverage by chapter, graph, critical nodes, growth',
    coverage,
  ),
  search: get(
    '/api/search/{goal}',
    'The search trees of a goal: every state, and the result of each tactic there',
    responses.goalSearch,
    ofRun,
  ),
  compare: get('/api/compare', 'What changed from run A to run B', responses.runComparison, {
    query: requests.compareQuery,
    refusals: [404],
  }),
  events: get(
    '/api/events',
    'Events as a server-sent stream (`events`, `heartbeat`, `reset`); Last-Event-ID resumes',
    z.string(),
    { query: requests.eventsQuery, type: 'text/event-stream' },
  ),
  control: post(
    '/api/control',
    'Control a live run: pause, resume, retry, cancel, priority',
    responses.controlAccepted,
    { body: requests.controlBody, status: 202, ...changes },
  ),
  promote: post(
    '/api/promote',
    'Turn a finished lemma into a theorem of the project, as `orch market promote` does; may take minutes',
    responses.promotion,
    { body: requests.promoteBody, ...changes },
  ),
  openapi: get('/api/openapi.json', 'This document', z.looseObject({ openapi: z.string() })),
} satisfies Record<string, Endpoint>;
