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

export const endpoints = {
  health: {
    method: 'get',
    path: '/api/health',
    summary: 'Health of the server',
    response: responses.health,
  },
  stats: {
    method: 'get',
    path: '/api/stats',
    summary: 'Overview: figures of a run and of the whole ledger',
    query: requests.runQuery,
    response: responses.stats,
    refusals: [404],
  },
  marketplace: {
    method: 'get',
    path: '/api/marketplace',
    summary: 'Requests for helper lemmas',
    response: responses.marketplace,
  },
  runs: {
    method: 'get',
    path: '/api/runs',
    summary: 'Runs, newest first',
    response: responses.runs,
  },
  run: {
    method: 'get',
    path: '/api/runs/{run}',
    summary: 'A run and its time series',
    response: responses.runDetail,
    refusals: [404],
  },
  history: {
    method: 'get',
    path: '/api/history/{run}',
    summary: 'State of a run at one moment',
    query: requests.historyQuery,
    response: responses.moment,
    refusals: [404],
  },
  goals: {
    method: 'get',
    path: '/api/goals',
    summary: 'Goals of a run, filtered, sorted and paged',
    query: requests.goalQuery,
    response: responses.goalPage,
    refusals: [404],
  },
  goal: {
    method: 'get',
    path: '/api/goals/{goal}',
    summary: 'A goal with its attempts, slates and proofs',
    query: requests.runQuery,
    response: goalView,
    refusals: [404],
  },
  coverage: {
    method: 'get',
    path: '/api/coverage',
    summary: 'The project’s blueprint: coverage by chapter, graph, critical nodes, growth',
    response: coverage,
  },
  search: {
    method: 'get',
    path: '/api/search/{goal}',
    summary: 'The search trees of a goal: every state, and the result of each tactic there',
    query: requests.runQuery,
    response: responses.goalSearch,
    refusals: [404],
  },
  compare: {
    method: 'get',
    path: '/api/compare',
    summary: 'What changed from run A to run B',
    query: requests.compareQuery,
    response: responses.runComparison,
    refusals: [404],
  },
  events: {
    method: 'get',
    path: '/api/events',
    summary: 'Events as a server-sent stream (`events`, `heartbeat`, `reset`); Last-Event-ID resumes',
    query: requests.eventsQuery,
    response: z.string(),
    type: 'text/event-stream',
  },
  control: {
    method: 'post',
    path: '/api/control',
    summary: 'Control a live run: pause, resume, retry, cancel, priority',
    body: requests.controlBody,
    response: responses.controlAccepted,
    status: 202,
    refusals: [401, 404, 409, 413, 415],
  },
  promote: {
    method: 'post',
    path: '/api/promote',
    summary:
      'Turn a finished lemma into a theorem of the project, as `orch market promote` does; may take minutes',
    body: requests.promoteBody,
    response: responses.promotion,
    refusals: [401, 404, 409, 413, 415],
  },
  openapi: {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    response: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
