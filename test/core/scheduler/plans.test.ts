import { expect, test } from 'vitest';
import { replayDecisions } from '../../../src/core/scheduler/replay.ts';
import type { Outcome } from '../../../src/core/strategy.ts';
import { division, engineOf, forgetful, ofType, spent, strategyOf, type Factoring } from './factoring.ts';

const goal = 'factor 143';

/** A plan for 143 without some of its lemmas: each asks for a factor of twice its number. */
function planning(...lemmas: string[]) {
  return async ({ n }: Factoring): Promise<Outcome<number>> =>
    n === 143
      ? { kind: 'blocked', lemmas, assemble: (proofs) => 9 + proofs.length, message: 'a plan', ...spent }
      : { kind: 'failed', message: 'no plan', ...spent };
}

/** Costs much, and finds nothing. */
const expensive = async ({ n }: Factoring): Promise<Outcome<number>> => ({
  kind: 'failed',
  message: 'no',
  ...spent,
  cpuSeconds: n === 143 ? 0.01 : 4,
});

/** Spends more than the goal may cost, and finds nothing. */
const spendthrift = async ({ n }: Factoring): Promise<Outcome<number>> => ({
  kind: 'failed',
  message: 'no',
  ...spent,
  cpuSeconds: n === 143 ? 25 : 0.01,
});

const deep = strategyOf('deep', { divide: division(20) }, 'heavy');

test('the holes of a plan become goals with tickets; their proofs form a candidate, credited to the planner', async () => {
  const { engine, events, domain } = engineOf([
    strategyOf('sketch', { plan: planning('5', '7') }),
    strategyOf('micro', { divide: division(3) }),
  ]);
  engine.add({ n: 143 });
  expect(await engine.run()).toMatchObject({ goals_total: 1, goals_solved: 1 });
  expect(ofType(events, 'ticket-opened').map(({ lemma_goal }) => lemma_goal)).toEqual([
    'factor 10',
    'factor 14',
  ]);
  expect(ofType(events, 'ticket-completed')).toHaveLength(2);
  expect(ofType(events, 'goal-closed').find((one) => one.goal === goal)).toMatchObject({
    solved: true,
    proof: '11',
    arm: 'sketch/plan',
  });
  expect(domain.judged).toContain(11);
  expect(replayDecisions(events).differences).toEqual([]);
});

test('a known lemma is not requested again', async () => {
  const { engine, events } = engineOf([strategyOf('sketch', { plan: planning('5', '7') })], {
    memory: {
      ...forgetful,
      similarTicket: async ({ statement }) => ({
        ticket_id: `old-${statement}`,
        goal: statement,
        context: [],
        suggested_name: '',
        constraints: [],
        priority: 0,
        status: 'completed',
        requester: '',
        dependencies: [],
        completed_proof: '2',
      }),
    },
  });
  engine.add({ n: 143 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  expect(ofType(events, 'ticket-opened')).toEqual([]);
});

test('a plan with an unproved lemma is dropped with its other lemmas, and deep work continues', async () => {
  const { engine, events } = engineOf([
    strategyOf('sketch', { plan: planning('6.5', '500.5', '7') }),
    strategyOf('micro', { divide: division(3) }),
    deep,
  ]);
  engine.add({ n: 143 });
  await engine.run();
  const closed = ofType(events, 'goal-closed');
  expect(closed.find((one) => one.goal === goal)).toMatchObject({ solved: true, arm: 'deep/divide' });
  expect(closed.find((one) => one.goal === 'factor 13')).toMatchObject({ solved: false });
  expect(replayDecisions(events).differences).toEqual([]);
});

test('a plan whose lemma is false is made again at once, and the lemma is kept as false', async () => {
  const plans = [
    ['8.5', '7'],
    ['5', '6'],
  ];
  const { engine, events, domain } = engineOf([
    strategyOf('sketch', {
      plan: async (one) => await planning(...(one.n === 143 ? (plans.shift() ?? []) : []))(one),
    }),
    strategyOf('micro', { divide: division(3) }),
  ]);
  // 17 is prime: nothing divides it
  Object.assign(domain, {
    refute: async ({ goal: { n } }: { goal: Factoring }) => ({
      instance: n === 17 ? '17 is prime' : null,
      cpuSeconds: 0,
    }),
  });
  engine.add({ n: 143 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  const [first] = ofType(events, 'ticket-opened');
  expect(ofType(events, 'ticket-refuted')).toMatchObject([
    { ticket_id: first?.ticket_id, goal_hash: '17', counterexample: '17 is prime' },
  ]);
  const planned = ofType(events, 'attempt-finished').filter(({ outcome }) => outcome === 'blocked');
  expect(planned).toHaveLength(2);
  expect(replayDecisions(events).differences).toEqual([]);
});

test('no plan uses a lemma that is known to be false', async () => {
  const { engine, events } = engineOf([strategyOf('sketch', { plan: planning('5', '7') })], {
    memory: {
      ...forgetful,
      similarTicket: async ({ statement }) => ({
        ticket_id: `old-${statement}`,
        goal: statement,
        context: [],
        suggested_name: '',
        constraints: [],
        priority: 0,
        requester: '',
        dependencies: [],
        completed_proof: null,
        status: statement === '7' ? 'refuted' : 'open',
      }),
    },
  });
  engine.add({ n: 143 });
  await engine.run();
  expect(ofType(events, 'ticket-opened')).toEqual([]);
});

test('while its plan waits for lemmas, a goal keeps its limits and stays open after its budget is used', async () => {
  for (const goal_cpu of [20, 100]) {
    const { engine, events } = engineOf(
      [
        strategyOf('sketch', { plan: planning('5', '7') }),
        strategyOf('micro', { spend: spendthrift, divide: division(3) }),
      ],
      { config: { goal_cpu } },
    );
    engine.add({ n: 143 });
    expect(await engine.run()).toMatchObject({ goals_solved: 1 });
    const own = ofType(events, 'slate-started').filter((one) => one.goal === goal);
    expect(own.map(({ round }) => round)).toEqual([0]);
    expect(replayDecisions(events).differences).toEqual([]);
  }
});

test('all lemmas of a plan together cost at most one goal’s budget', async () => {
  const { engine, events } = engineOf(
    [
      strategyOf('sketch', { plan: planning('8.5', '9.5', '11.5', '14.5') }),
      strategyOf('micro', { expensive, dear2: expensive, dear3: expensive }),
    ],
    { config: { goal_cpu: 20, workers: 1 } },
  );
  engine.add({ n: 143 });
  await engine.run();
  const wanted = ofType(events, 'ticket-opened').flatMap(({ lemma_goal }) => lemma_goal ?? []);
  const lemmas = ofType(events, 'attempt-finished').filter((one) => wanted.includes(one.goal));
  const seconds = lemmas.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(20 + 3 * 4);
  expect(wanted).toHaveLength(4);
});
