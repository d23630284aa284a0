import type { ApiError, GoalQuery } from '../../src/shared/api.ts';
import { Refused, type Source } from './source.ts';

const tokenKey = 'orch-token';

/** The path of the project's dashboard, if the server has several projects. */
export const projectPath = (): string => /^\/p\/[^/]+/.exec(location.pathname)?.[0] ?? '';

/**
 * The printed URL contains the token. It is kept for this tab and removed from the address bar, so that a copied link
 * does not contain it.
 */
export function takeToken(): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('token');
  if (token === null) return sessionStorage.getItem(tokenKey);
  sessionStorage.setItem(tokenKey, token);
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
  return token;
}

export function networkSource(token: string | null): Source {
  return {
    made: null,
    canControl: token !== null,
    stats: async (run) => await ask(`/api/stats?${inRun(run)}`),
    run: async (run) => await ask(`/api/runs/${encodeURIComponent(run)}`),
    history: async (run, at) =>
      await ask(`/api/history/${encodeURIComponent(run)}${at === null ? '' : `?at=${at}`}`),
    runs: async () => await ask('/api/runs'),
    marketplace: async () => await ask('/api/marketplace'),
    goals: async (run, query) => await ask(`/api/goals?${inRun(run)}&${goalParameters(query)}`),
    goal: async (run, goal) => await ask(`/api/goals/${encodeURIComponent(goal)}?${inRun(run)}`),
    coverage: async () => await ask('/api/coverage'),
    search: async (run, goal) => await ask(`/api/search/${encodeURIComponent(goal)}?${inRun(run)}`),
    compare: async (a, b) => await ask(`/api/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`),
    control: async (body) => await send(token ?? '', '/api/control', body),
    promote: async (ticket) => await send(token ?? '', '/api/promote', { ticket }, promotionMs),
  };
}

const inRun = (run: string): string => `run=${encodeURIComponent(run)}`;

/** A promotion elaborates every file that uses the lemma. */
const promotionMs = 3_600_000;

async function send<Answer>(token: string, path: string, body: object, longestMs?: number): Promise<Answer> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  };
  return await ask(path, init, longestMs);
}

/** src/shared/api.ts declares the type of the answer for each path. */
async function ask<Answer>(path: string, init: RequestInit = {}, longestMs = 15_000): Promise<Answer> {
  const response = await fetch(`${projectPath()}${path}`, {
    ...init,
    signal: AbortSignal.timeout(longestMs),
  });
  if (response.ok) return (await response.json()) as Answer;
  throw new Refused(await reasonOf(response));
}

async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as ApiError;
    return error.hint === null ? error.message : `${error.message}. ${error.hint}`;
  } catch {
    return `the server responded with status ${response.status}`;
  }
}

function goalParameters(query: GoalQuery): string {
  const parameters = new URLSearchParams({
    sort: query.sort,
    order: query.order,
    offset: String(query.offset),
    limit: String(query.limit),
  });
  if (query.status.length > 0) parameters.set('status', query.status.join(','));
  if (query.label !== null) parameters.set('label', query.label);
  if (query.topic !== null) parameters.set('topic', query.topic);
  if (query.file !== null) parameters.set('file', query.file);
  if (query.since !== null) parameters.set('since', String(query.since));
  if (query.lemmas) parameters.set('lemmas', 'yes');
  if (query.group !== null) parameters.set('group', query.group);
  if (query.search !== '') parameters.set('search', query.search);
  return parameters.toString();
}
