import { expect, test } from 'vitest';
import type { TacticStep } from '../../../src/core/search-memory.ts';
import { temporaryLedger } from './temporary.ts';

const stateOf = (number: number): string => number.toString(16).padStart(32, '0');
const step = (number: number, body: Partial<TacticStep> = {}): TacticStep => ({
  state: stateOf(number),
  tactic: 'simp',
  outcome: 'failed',
  cpuSeconds: 0.25,
  heartbeats: 1000,
  premises: [],
  next: [],
  ...body,
});

test('steps come back as they were noted; one that is seen again replaces the old one', async () => {
  const { ledger } = temporaryLedger();
  const advanced = step(1, {
    tactic: 'induction n with\n| zero => skip',
    outcome: 'advanced',
    premises: ['Nat.rec'],
    next: [stateOf(2), stateOf(3)],
  });
  await ledger.noteSteps([step(1), advanced, step(2, { outcome: 'timeout' }), step(4)]);
  await ledger.noteSteps([step(2, { outcome: 'closed', heartbeats: 2000 })]);
  const found = await ledger.stepsFrom([stateOf(1), stateOf(2), stateOf(9)]);
  expect(found).toHaveLength(3);
  expect(found).toEqual(
    expect.arrayContaining([step(1), advanced, step(2, { outcome: 'closed', heartbeats: 2000 })]),
  );
  expect(await ledger.stepsFrom([])).toEqual([]);
  await expect(ledger.noteSteps([step(1, { state: 'short' })])).rejects.toThrow('32 hexadecimal digits');
});

test('the table never holds more than its bound, and forgets the oldest', async () => {
  const { ledger } = temporaryLedger([], { steps: 100, frontiers: 2, nodesOfAFrontier: 3 });
  for (let batch = 0; batch < 10; batch++) {
    await ledger.noteSteps(Array.from({ length: 30 }, (_, index) => step(batch * 30 + index)));
    await ledger.noteSteps([step(0)]); // seen again: not old
  }
  const all = await ledger.stepsFrom(Array.from({ length: 300 }, (_, index) => stateOf(index)));
  expect(all.length).toBeGreaterThan(80);
  expect(all.length).toBeLessThanOrEqual(100);
  const kept = all.map(({ state }) => Number.parseInt(state, 16)).sort((a, b) => a - b);
  expect(kept[0]).toBe(0);
  expect(kept.at(-1)).toBe(299);
  expect(kept[1]).toBeGreaterThan(200);
});

test('a goal has the frontier that its last search left, until that is empty', async () => {
  const { ledger } = temporaryLedger([], { steps: 100, frontiers: 2, nodesOfAFrontier: 3 });
  const nodes = [5, 4, 3, 2].map((score) => ({
    state: stateOf(score),
    tactics: ['intro n', 'cases n'],
    goals: ['n : Nat\n⊢ n = n'],
    score,
  }));
  await ledger.saveFrontier('h1', 'print', [{ ...nodes[0], score: 1 } as (typeof nodes)[0]]);
  await ledger.saveFrontier('h1', 'print', nodes);
  expect(await ledger.frontier('h1', 'print')).toEqual(nodes.slice(0, 3));
  expect(await ledger.frontier('h1', 'another')).toEqual([]);
  await ledger.saveFrontier('h2', 'print', nodes.slice(0, 1));
  await ledger.saveFrontier('h3', 'print', nodes.slice(0, 1));
  expect(await ledger.frontier('h1', 'print')).toEqual([]); // two goals are remembered
  await ledger.saveFrontier('h3', 'print', []);
  expect(await ledger.frontier('h3', 'print')).toEqual([]);
  expect(await ledger.verify()).toEqual([]);
});
