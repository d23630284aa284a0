import { describe, expect, test } from 'vitest';
import { endpoints, type Endpoint } from '../../src/server/endpoints.ts';
import { apiError } from '../../src/shared/schemas/responses.ts';
import type { GoalPage, GoalView, RunComparison, RunDetail, Stats } from '../../src/shared/api.ts';
import { started } from './started.ts';
import { ended, hostileError, hostileName, underWay } from './told.ts';

const both = () => [...ended().events, ...underWay().events];

const answered: readonly (readonly [string, Endpoint])[] = [
  ['/api/health', endpoints.health],
  ['/api/stats', endpoints.stats],
  ['/api/stats?run=run-1', endpoints.stats],
  ['/api/marketplace', endpoints.marketplace],
  ['/api/runs', endpoints.runs],
  ['/api/runs/run-2', endpoints.run],
  ['/api/runs/latest', endpoints.run],
  ['/api/history/run-1', endpoints.history],
  ['/api/history/run-2?at=0', endpoints.history],
  ['/api/goals', endpoints.goals],
  [`/api/goals/${encodeURIComponent(hostileName)}`, endpoints.goal],
  ['/api/goals/solved?run=run-1', endpoints.goal],
  ['/api/goals/racing', endpoints.goal],
  ['/api/search/solved?run=run-1', endpoints.search],
  ['/api/coverage', endpoints.coverage],
  ['/api/compare?a=run-1&b=run-2', endpoints.compare],
  ['/api/openapi.json', endpoints.openapi],
];

describe('every answer matches its schema', () => {
  test('on a ledger with two runs', async () => {
    const { get } = await started(both());
    for (const [address, { response }] of answered) {
      const answer = await get(address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(response.parse(answer.json())).toEqual(answer.json());
    }
    const asked = new Set(answered.map(([, endpoint]) => endpoint));
    const left = Object.values<Endpoint>(endpoints).filter((endpoint) => !asked.has(endpoint));
    expect(left).toEqual([endpoints.events, endpoints.control, endpoints.promote]);
  });

  test('on an empty ledger', async () => {
    const { get } = await started();
    for (const [address, endpoint] of [
      ['/api/stats', endpoints.stats],
      ['/api/goals', endpoints.goals],
      ['/api/runs', endpoints.runs],
      ['/api/marketplace', endpoints.marketplace],
    ] as const)
      endpoint.response.parse((await get(address)).json());
    expect((await get('/api/runs/latest')).status).toBe(404);
  });

  test('every error matches its schema', async () => {
    const { get } = await started(both());
    for (const [address, status] of [
      ['/api/nothing', 404],
      ['/api/runs/nothing', 404],
      ['/api/history/nothing', 404],
      ['/api/history/run-1?at=noon', 400],
      ['/api/goals/nothing', 404],
      ['/api/search/nothing', 404],
      ['/api/goals?run=nothing', 404],
      ['/api/goals?limit=0', 400],
      ['/api/goals?sort=colour', 400],
      ['/api/goals?status=solved,happy', 400],
      ['/api/compare?a=run-1', 400],
      ['/api/events?since=yesterday', 400],
      ['/nothing.js', 404],
    ] as const) {
      const answer = await get(address);
      expect([address, answer.status]).toEqual([address, status]);
      apiError.parse(answer.json());
    }
  });
});

test('the overview shows current activity and totals', async () => {
  const { get, clock } = await started(both());
  const stats = (await get('/api/stats')).json() as Stats;
  expect(stats.run).toMatchObject({ run: 'run-2', state: 'live', paused: true });
  expect(stats).toMatchObject({ total_attempts: 3, successes: 2, goals_known: 4 });
  expect(stats.goals).toEqual({
    queued: 1,
    racing: 1,
    parked: 1,
    solved: 1,
    refuted: 0,
    unsolved: 1,
    stopped: 0,
  });
  expect(stats.queue).toEqual({ easy: 2, medium: 0, hard: 1 });
  expect(stats.in_flight).toMatchObject([{ attempt: 'a3', goal: 'racing', arm: 'micro/close' }]);
  expect(stats.arms).toMatchObject([{ arm: 'micro/close', attempts: 3, successes: 2 }]);
  expect(stats.cache).toMatchObject({ cache_hits: 2, attempts_with_hits: 1 });
  expect(stats.cache.entries.length).toBeGreaterThan(0);

  clock.at += 60_000;
  expect((await get('/api/stats')).json()).toMatchObject({ run: { state: 'lost' } });
  expect((await get('/api/stats?run=run-1')).json()).toMatchObject({ run: { state: 'finished' } });
});

test('a run has its figures over time', async () => {
  const { get } = await started(both());
  const run = (await get('/api/runs/run-2')).json() as RunDetail;
  expect(run.samples).toHaveLength(1);
  expect(run.scores).toHaveLength(3);
  expect(run.progress.at(-1)).toMatchObject({ closed: 2, solved: 1 });
  expect(run.notes[0]?.text).toBe(hostileError);
  expect(run.arms).toMatchObject([{ arm: 'micro/close', attempts: 2, successes: 1 }]);
});

const names = async (query: string): Promise<string[]> => {
  const { get } = await started(both());
  return ((await get(`/api/goals?${query}`)).json() as GoalPage).goals.map(({ goal }) => goal);
};

describe('goals', () => {
  test('are sorted with failures first', async () => {
    expect(await names('')).toEqual([hostileName, 'racing', 'waiting', 'queued 10', 'solved']);
  });

  test('are filtered, searched and sorted', async () => {
    expect(await names('status=racing,parked&sort=goal')).toEqual(['racing', 'waiting']);
    expect(await names('label=hard')).toEqual(['racing']);
    expect(await names('topic=List')).toEqual(['racing']);
    expect(await names('search=OR%201%3D1')).toEqual([hostileName]);
    expect(await names('search=%25')).toEqual([hostileName]); // no wild card
    expect(await names('sort=attempts&order=descending&limit=2')).toEqual(['solved', hostileName]);
    expect(await names('run=run-1&sort=goal')).toEqual(['racing', 'solved']);
  });

  test('are returned in pages', async () => {
    const { get } = await started(both());
    const page = (await get('/api/goals?sort=goal&offset=1&limit=2')).json() as GoalPage;
    expect(page).toMatchObject({ run: 'run-2', total: 5, counts: { solved: 1, queued: 1 } });
    expect(page.goals).toHaveLength(2);
    expect(page.topics).toEqual(['<i>topic</i>', 'List', 'Nat']);
  });

  test('have a URL for any name, and Lean’s messages arrive unchanged', async () => {
    const { get } = await started(both());
    const goal = (await get(`/api/goals/${encodeURIComponent(hostileName)}`)).json() as GoalView;
    expect(goal).toMatchObject({
      goal: hostileName,
      latest_error: hostileError,
      statement: 'theorem x : <b>True</b>',
    });
    expect(goal.attempt_rows).toMatchObject([{ error: hostileError, outcome: 'failed' }]);
    expect(goal.slates[0]?.arms).toMatchObject([{ arm: 'micro/close', score: 1.5 }]);
    const solved = (await get('/api/goals/solved')).json() as GoalView;
    expect(solved.proofs).toMatchObject([{ proof: 'by simp only [Nat.add_zero]', assurance: 'replayed' }]);
    const waiting = (await get('/api/goals/waiting')).json() as GoalView;
    expect(waiting.tickets.map(({ ticket_id }) => ticket_id)).toEqual(['t1']);
  });
});

test('two runs are compared by solved goals', async () => {
  const { get } = await started(both());
  const comparison = (await get('/api/compare?a=run-1&b=run-2')).json() as RunComparison;
  expect(comparison.gained.map(({ goal }) => goal)).toEqual(['solved']);
  expect(comparison.lost.map(({ goal }) => goal)).toEqual(['racing']);
  expect(comparison).toMatchObject({ both: 2, only_in_a: [] });
  expect(comparison.only_in_b).toHaveLength(3);
});

test('a cached answer is rebuilt after new events', async () => {
  const { get, ledger, clock } = await started(both());
  await get('/api/stats');
  const story = underWay();
  await ledger.journal.append([story.closeGoal('waiting', false).events.at(-1) ?? expect.fail()]);
  clock.at += 1000;
  expect((await get('/api/stats')).json()).toMatchObject({ goals: { unsolved: 2, parked: 0 } });
});
