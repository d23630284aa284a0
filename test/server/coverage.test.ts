import path from 'node:path';
import { expect, test } from 'vitest';
import { blueprintOf } from '../../src/lean/blueprint/read.ts';
import { stateBlueprint } from '../../src/lean/blueprint/states.ts';
import { criticalNodes } from '../../src/lean/blueprint/critical.ts';
import { GoalNodes } from '../../src/lean/blueprint/goal-nodes.ts';
import { judgeVersion } from '../../src/lean/gate/judge-version.ts';
import { prospectsFrom } from '../../src/lean/blueprint/prospects.ts';
import { wholeStatement, type LeanGoal } from '../../src/lean/goals/goal.ts';
import { coverageOf } from '../../src/server/coverage.ts';
import { coverage } from '../../src/shared/schemas/coverage.ts';
import { lastGoals } from '../../src/store/ledger/last-goals.ts';
import { priorityFor } from '../../src/core/difficulty.ts';
import { Story } from '../store/ledger/story.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';

const project = path.resolve('examples/sorting');
const solve = (story: Story, goal: string, judge = judgeVersion()): Story =>
  story.add(goal).examine(goal).judge(null, goal, { judge }).closeGoal(goal);
const hour = 3_600_000;

const goal = (id: string): LeanGoal => ({
  id,
  preamble: '',
  statement: '',
  holes: wholeStatement,
  topic: null,
  label: null,
  allowAxioms: [],
  source: null,
});

const first = solve(new Story('first').begin(), 'Sorting.occ_insert').end();
const second = solve(new Story('second', Date.UTC(2026, 0, 1) + hour).begin(), 'Sorting.length_insert')
  .add('Sorting.insert_comm')
  .examine('Sorting.insert_comm')
  .startAttempt('a1', 'Sorting.insert_comm')
  .finishAttempt('a1', 'Sorting.insert_comm', { cpu_seconds: 90 })
  .closeGoal('Sorting.insert_comm', false)
  .end();
const third = solve(
  new Story('third', Date.UTC(2026, 0, 1) + 2 * hour).begin(),
  'Sorting.total_insert',
).end();
const events = [...first.events, ...second.events, ...third.events];

test('the dashboard gets every node with chapter, colours, position and goal, and the proofs per run', async () => {
  const { ledger } = await temporaryLedger(events);
  const view = coverage.parse(await coverageOf(ledger, project));
  const { chapters, total, nodes, edges, path: chain, history } = view.blueprint ?? expect.fail();
  expect(chapters.map(({ chapter }) => chapter)).toEqual(['Insertion', 'Sorting', 'Search trees']);
  expect(total).toMatchObject({ nodes: 20, proofs: 15, proved: 0 });
  expect(nodes).toHaveLength(20);
  expect(edges.length).toBeGreaterThan(20);
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(20);
  expect(nodes.every(({ width, height }) => width > 0 && height > 0)).toBe(true);
  const comm = nodes.find(({ id }) => id === 'lem:insert-comm');
  expect(comm).toMatchObject({
    goal: { run: 'second', goal: 'Sorting.insert_comm', status: 'unsolved' },
    critical: { blocks: 2, waits: 0 },
    border: 'green',
  });
  expect(chain.length).toBeGreaterThan(2);
  // a node of two declarations is proved when the second one is
  expect(history.map(({ run, proved }) => [run, proved])).toEqual([
    ['first', 1],
    ['second', 1],
    ['third', 2],
  ]);
});

test('a proof accepted by an older judge does not count', async () => {
  const story = solve(new Story('first').begin(), 'Sorting.occ_insert', 'an older judge').end();
  const { ledger } = await temporaryLedger(story.events);
  const { blueprint } = await coverageOf(ledger, project);
  expect(blueprint?.history.map(({ proved }) => proved)).toEqual([0]);
});

test('without a blueprint there is no data', async () => {
  const { ledger, file } = await temporaryLedger();
  expect(await coverageOf(ledger, path.dirname(file))).toEqual({ seq: 0, blueprint: null });
});

test('the ledger decides which nodes are worth working on', async () => {
  const { ledger } = await temporaryLedger(events);
  const stated = stateBlueprint(blueprintOf(project) ?? expect.fail());
  const before = criticalNodes(stated);
  const after = criticalNodes(stated, prospectsFrom(await lastGoals(ledger, 'any judge')));
  const rank = (nodes: typeof before, id: string): number =>
    nodes.findIndex(({ statement }) => statement.id === id);
  // it holds up much, but has cost a minute and a half without success
  expect(rank(before, 'lem:insert-comm')).toBeLessThan(3);
  expect(rank(after, 'lem:insert-comm')).toBeGreaterThan(rank(before, 'lem:insert-comm'));
  const { chance, cost, blocks, value } =
    after.find(({ statement }) => statement.id === 'lem:insert-comm') ?? expect.fail();
  expect(chance).toBeCloseTo(0.7);
  expect(cost).toBeGreaterThan(89);
  expect(value).toBeCloseTo(((1 + blocks) * chance) / cost);
});

test('a goal has its node, and nodes with many dependents come first', () => {
  const nodes = new GoalNodes();
  const file = path.join(project, 'Sorting/Insert.lean');
  const low = nodes.known(file, goal('Sorting.mem_insert#2')).node ?? expect.fail();
  const high = nodes.known(file, goal('Sorting.sorted_sort')).node ?? expect.fail();
  expect(low).toMatchObject({ id: 'lem:insert-mem', waits: 0, depth: 1 });
  expect(high).toMatchObject({ id: 'thm:sorted', impact: 0, depth: 3 });
  expect(high.waits).toBe(2);
  expect(nodes.known(file, goal('Sorting.sort')).node).toBeUndefined();
  expect(nodes.known(file, goal('Sorting.insert_ne_nil')).node).toBeUndefined();
  expect(priorityFor(0.5, null, low)).toBeGreaterThan(priorityFor(0.5, null, high));
  expect(priorityFor(0.5, null, high)).toBeGreaterThanOrEqual(priorityFor(0.5, null));
});
