import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { UserError } from '../../../src/core/errors.ts';
import { Throttle } from '../../../src/core/throttle.ts';
import type { Slot } from '../../../src/shared/events.ts';
import { limitsOf } from '../../../src/core/scheduler/loop-guard.ts';
import { replayDecisions } from '../../../src/core/scheduler/replay.ts';
import type { Outcome } from '../../../src/core/strategy.ts';
import {
  division,
  engineOf,
  FactorDomain,
  forgetful,
  mostAtOnce,
  ofType,
  patience,
  spent,
  strategyOf,
  type FactorStrategy,
  type Factoring,
} from './factoring.ts';

const none = { cpu_seconds: 0, heartbeats: 0 };

const failing = async (): Promise<Outcome<number>> => ({ kind: 'failed', message: 'no', ...spent });

const liar = async (): Promise<Outcome<number>> => ({ kind: 'solved', candidate: 7, ...spent });

const buggy = async (): Promise<Outcome<number>> => {
  throw new TypeError('oops');
};

const broken = async (): Promise<Outcome<number>> => {
  throw new UserError('lean-broken', 'no Lean');
};

const soon = async (goal: Factoring): Promise<Outcome<number>> => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return await division(100)(goal);
};

const byHint = async ({ hint, n }: Factoring): Promise<Outcome<number>> =>
  hint !== undefined && n % 11 === 0
    ? { kind: 'solved', candidate: 11, ...spent }
    : { kind: 'failed', message: 'no hint', ...spent };

/** Leaves its worker slowly. */
class Lingering extends FactorDomain {
  override async close(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await super.close();
  }
}

test('a parked goal returns when it has left its worker; a run ends when all goals are closed', async () => {
  const [fast, slow] = [strategyOf('fast', { fail: failing }), strategyOf('slow', { divide: soon })];
  const { engine, events } = engineOf([fast, slow], { domain: new Lingering(), config: { workers: 3 } });
  for (const n of [10_403, 11_021, 11_663]) engine.add({ n });
  expect(await engine.run()).toMatchObject({ reason: 'done', goals_total: 3 });
  const closed = ofType(events, 'goal-closed').map(({ goal }) => goal);
  expect(closed).toEqual(expect.arrayContaining(['factor 10403', 'factor 11021', 'factor 11663']));
  expect(replayDecisions(events).differences).toEqual([]);
});

test('goals are solved, and only accepted proofs count', async () => {
  const { engine, events, domain } = engineOf([strategyOf('micro', { lie: liar, divide: division(100) })]);
  for (const n of [15, 77, 13]) engine.add({ n });
  const finished = await engine.run();
  expect(finished).toMatchObject({ reason: 'done', goals_total: 3, goals_solved: 2 });
  const closed = ofType(events, 'goal-closed');
  expect(closed.find(({ goal }) => goal === 'factor 15')).toMatchObject({
    solved: true,
    proof: '3',
    arm: 'micro/divide',
  });
  expect(closed.find(({ goal }) => goal === 'factor 13')).toMatchObject({ solved: false, proof: null });
  const lies = ofType(events, 'attempt-finished').filter(
    ({ arm, goal }) => arm === 'micro/lie' && goal === 'factor 15',
  );
  expect(lies.map(({ outcome }) => outcome)).not.toContain('solved');
  expect(domain.open_).toBe(0);
});

test('goals are requested in batches, each when the previous one is closed; missing ones count as open', async () => {
  const turns = [[21], [22, 23], []];
  const { engine, events } = engineOf([strategyOf('micro', { divide: division(100) })]);
  engine.add({ n: 15 });
  const finished = await engine.run(async (isOver) => {
    expect(isOver).toBe(false);
    const next = turns.shift() ?? [];
    for (const n of next) engine.add({ n });
    return next.length > 0;
  });
  expect(finished).toMatchObject({ reason: 'done', goals_total: 4, goals_solved: 3 });
  const order = [...events].filter(({ type }) => type === 'goal-closed' || type === 'goal-added');
  expect(order.map(({ type }) => type).slice(0, 3)).toEqual(['goal-added', 'goal-closed', 'goal-added']);

  const short = engineOf([strategyOf('micro', { divide: division(100) })]).engine;
  short.add({ n: 15 });
  const ended = await short.run(async (isOver) => {
    if (isOver) short.add({ n: 21 });
    else short.drain();
    return true;
  });
  expect(ended).toMatchObject({ reason: 'drained', goals_total: 2, goals_solved: 1 });

  const broken_ = engineOf([strategyOf('micro', { divide: division(100) })]).engine;
  broken_.add({ n: 15 });
  const failure = broken_.run(async () => {
    throw new Error('the disk is full');
  });
  await expect(failure).rejects.toThrow('the disk is full');
});

test('arms of a lower stage run first in every round', async () => {
  const strategy = strategyOf('micro', { expensive: failing, cheap: failing });
  const staged = {
    ...strategy,
    arms: (work: Parameters<typeof strategy.arms>[0]) =>
      strategy.arms(work).map((arm) => ({ ...arm, stage: arm.name === 'micro/expensive' ? 1 : 0 })),
  };
  const { engine, events } = engineOf([staged]);
  engine.add({ n: 91 });
  await engine.run();
  const slates = ofType(events, 'slate-started')
    .filter(({ goal }) => goal === 'factor 91')
    .map(({ arms }) => arms.map(({ arm }) => arm).join());
  const round = ['micro/cheap', 'micro/expensive'];
  expect(slates.slice(0, 6)).toEqual([...round, ...round, ...round]);
  expect(replayDecisions(events).differences).toEqual([]);
});

/** Searches for a proof that the number has no factor. */
const refute = async ({ goal }: { goal: Factoring }) => ({
  instance: goal.n === 13 ? '13 is prime' : null,
  cpuSeconds: 0.25,
});

test('a false goal is refuted after the first arms, and requests no lemma', async () => {
  const { engine, events, domain } = engineOf([strategyOf('micro', { divide: division(100) })]);
  Object.assign(domain, { refute });
  engine.add({ n: 13 });
  engine.add({ n: 15 });
  expect(await engine.run()).toMatchObject({ goals_total: 2, goals_solved: 1 });
  const closed = ofType(events, 'goal-closed').find(({ goal }) => goal === 'factor 13');
  expect(closed).toMatchObject({ solved: false, refuted: '13 is prime', reason: 'refuted', proof: null });
  expect(closed?.cpu_seconds).toBeGreaterThanOrEqual(0.25);
  expect(ofType(events, 'slate-started').filter(({ goal }) => goal === 'factor 13')).toHaveLength(1);
  expect(ofType(events, 'ticket-opened')).toEqual([]);
});

test('a counterexample that could not be judged is searched again, up to a limit', async () => {
  const { engine, events, domain } = engineOf([
    strategyOf('micro', { divide: division(100) }),
    strategyOf('deep', { a: failing, b: failing, c: failing, d: failing }, 'heavy'),
  ]);
  const looks: Record<number, number> = { 13: 0, 17: 0, 19: 0 };
  Object.assign(domain, {
    lemmas: undefined,
    refute: async ({ goal: { n } }: { goal: Factoring }) => {
      const look = (looks[n] = (looks[n] ?? 0) + 1);
      if (n === 13 && look === 2) return { instance: '13 is prime', cpuSeconds: 0.25 };
      return { instance: null, cpuSeconds: 0.25, ...(n !== 19 && { unjudged: 'deadline: too slow' }) };
    },
  });
  for (const n of [13, 17, 19]) engine.add({ n });
  await engine.run();
  const closed = ofType(events, 'goal-closed').map(({ goal, refuted }) => [goal, refuted]);
  expect(Object.fromEntries(closed)).toEqual({
    'factor 13': '13 is prime',
    'factor 17': null,
    'factor 19': null,
  });
  expect(looks).toEqual({ 13: 2, 17: 3, 19: 1 }); // nothing was found for 19, which is a result
});

test('the first accepted proof cancels the others; a fast failure cancels none', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { fail: failing, wait: patience, slow: soon })]);
  engine.add({ n: 91 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  const outcomes = Object.fromEntries(
    ofType(events, 'attempt-finished').map(({ arm, outcome }) => [arm, outcome]),
  );
  expect(outcomes).toEqual({ 'micro/fail': 'failed', 'micro/slow': 'solved', 'micro/wait': 'cancelled' });
  const rewards = ofType(events, 'attempt-finished').map(({ arm, reward }) => [arm, reward]);
  expect(Object.fromEntries(rewards)).toMatchObject({ 'micro/wait': null, 'micro/fail': 0 });
});

test('at most as many goals are open as there are workers', async () => {
  const { engine, domain } = engineOf([strategyOf('micro', { divide: division(100) })]);
  for (let n = 4; n < 40; n += 2) engine.add({ n });
  await engine.run();
  expect(domain.mostOpen).toBe(2);
});

test('deep strategies run after the fast ones have failed, one at a time per goal', async () => {
  const { engine, events } = engineOf([
    strategyOf('micro', { a: division(3), b: failing }),
    strategyOf('deep', { divide: division(1000) }, 'heavy'),
  ]);
  engine.add({ n: 101 * 103 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  const slates = ofType(events, 'slate-started');
  expect(slates.map(({ slot }) => slot)).toEqual(['light', 'heavy']);
  expect(slates[1]?.reason).toMatch(/fast arms failed/);
});

test('an arm may need less memory than its strategy, and may start in a later round with its whole budget', async () => {
  const deep = strategyOf('deep', { short: failing, long: division(1000) }, 'heavy');
  const budget = { cpu_seconds: 2, heartbeats: 1000 };
  const { engine, events, domain } = engineOf([
    {
      ...deep,
      arms: () => [
        { name: 'deep/short', signature: '1', slot: 'light', budget },
        { name: 'deep/long', signature: '1', round: 2 },
      ],
    },
  ]);
  Object.assign(domain, { lemmas: undefined });
  engine.add({ n: 101 * 103 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  const attempts = ofType(events, 'attempt-started').map(({ arm, slot, limits }) => [
    arm,
    slot,
    limits.cpu_seconds,
  ]);
  expect(attempts).toEqual([
    ['deep/short', 'light', 0.2],
    ['deep/short', 'light', 0.6],
    ['deep/long', 'heavy', 8],
  ]);
});

test('an arm that failed is tried again only with larger limits, and never twice with the same', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { a: failing })], {
    memory: {
      ...forgetful,
      tried: async () => [{ arm: 'micro/a', signature: 'a 1', limits: { cpu_seconds: 3, heartbeats: 500 } }],
    },
  });
  engine.add({ n: 13 });
  await engine.run();
  expect(
    ofType(events, 'attempt-finished')
      .filter(({ goal }) => goal === 'factor 13')
      .map(({ params }) => params),
  ).toEqual([{ cpu_seconds: 8, heartbeats: 1000 }]);
});

test('a proof of an earlier run is a hint: it is judged again', async () => {
  const memory = { ...forgetful, provedBefore: async () => ['4', '5'] };
  const { engine, events, domain } = engineOf([strategyOf('micro', { a: failing })], { memory });
  engine.add({ n: 35 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  expect(domain.judged).toEqual([4, 5]);
  expect(ofType(events, 'slate-started')).toEqual([]);
  expect(ofType(events, 'attempt-finished')).toMatchObject([
    { strategy: 'cache', arm: 'cache/proved', outcome: 'failed', cache_hits: 1, reward: null },
    { strategy: 'cache', arm: 'cache/proved', outcome: 'solved', cache_hits: 1, reward: null },
  ]);

  const [refused] = ofType(events, 'attempt-finished');
  const tried = async () => [{ arm: 'cache/proved', signature: refused?.signature ?? '', limits: none }];
  const second = engineOf([strategyOf('micro', { a: failing })], { memory: { ...memory, tried } });
  second.engine.add({ n: 35 });
  await second.engine.run();
  expect(second.domain.judged).toEqual([5]);
});

test('a goal waits for a busy heavy slot without being given up or reopened', async () => {
  const { engine, events, domain } = engineOf(
    [strategyOf('micro', { a: failing }), strategyOf('deep', { divide: soon }, 'heavy')],
    { config: { workers: 8, max_heavy: 1 } },
  );
  for (let n = 15; n < 105; n += 6) engine.add({ n });
  expect(await engine.run()).toMatchObject({ goals_total: 15, goals_solved: 15 });
  const deep = ofType(events, 'attempt-finished').filter(({ strategy }) => strategy === 'deep');
  expect(deep).toHaveLength(15);
  expect(mostAtOnce(events, 'heavy')).toBe(1);
  // once to try it, and once more if another goal took its worker while it waited
  expect(domain.opened.length).toBeLessThanOrEqual(30);
  expect(replayDecisions(events).differences).toEqual([]);
});

test('orch opens no more goals than it has slots: forty goals, eight workers, forty openings', async () => {
  const { engine, events, domain } = engineOf([strategyOf('micro', { a: failing, b: failing, c: soon })], {
    config: { workers: 8, max_light: 8 },
  });
  for (let n = 15; n < 15 + 40 * 6; n += 6) engine.add({ n });
  expect(await engine.run()).toMatchObject({ goals_solved: 40 });
  expect(domain.opened).toHaveLength(40);
  expect(mostAtOnce(events, 'light')).toBeLessThanOrEqual(8);
  expect(replayDecisions(events).differences).toEqual([]);
});

test('each arm has its own limits, and a round never costs more than the goal’s budget', async () => {
  const cheap = strategyOf('cheap', { a: failing });
  const expensive = {
    ...strategyOf('expensive', { b: failing, c: failing }),
    budget: { cpu_seconds: 40, heartbeats: 5 },
  };
  const offer = { arm: '', strategy: '', slot: 'light' as const, signature: '' };
  const cheapFirst = limitsOf({ ...offer, budget: cheap.budget }, 0);
  const dearFirst = limitsOf({ ...offer, budget: expensive.budget }, 0);
  // enough for the first two and half of the third
  const goal_cpu = cheapFirst.cpu_seconds + 1.5 * dearFirst.cpu_seconds;
  const { engine, events } = engineOf([cheap, expensive], { config: { goal_cpu } });
  engine.add({ n: 13 });
  await engine.run();
  const [slate] = ofType(events, 'slate-started');
  const rest = expect.closeTo(dearFirst.cpu_seconds / 2, 2) as number;
  expect(slate?.arms.map(({ arm, limits }) => [arm, limits])).toEqual([
    ['cheap/a', cheapFirst],
    ['expensive/b', dearFirst],
    ['expensive/c', { ...dearFirst, cpu_seconds: rest }],
  ]);
  expect(slate?.limits.cpu_seconds).toBeLessThanOrEqual(goal_cpu);
  const started = ofType(events, 'attempt-started').slice(0, 3);
  expect(started.map(({ limits }) => limits)).toEqual(slate?.arms.map(({ limits }) => limits));
});

/** A CPU budget that records requests. */
class Watched extends Throttle {
  readonly #asked: string[];

  constructor(asked: string[]) {
    super(1, 2);
    this.#asked = asked;
  }

  override async permit(slot: Slot, signal?: AbortSignal): Promise<void> {
    this.#asked.push(slot);
    await super.permit(slot, signal);
  }
}

const asking = (slot: Slot): FactorStrategy => {
  const strategy = strategyOf(slot, { ask: failing }, slot);
  return {
    ...strategy,
    attempt: async (work, arm, run) => {
      await run.permit();
      return await strategy.attempt(work, arm, run);
    },
  };
};

test('a heavy attempt requests heavy permits, so it gives way first', async () => {
  const asked: string[] = [];
  const { engine } = engineOf([asking('light'), asking('heavy')], { throttle: new Watched(asked) });
  engine.add({ n: 13 });
  await engine.run();
  expect(new Set(asked)).toEqual(new Set(['light', 'heavy']));
});

test('an attempt that never returns ends at its wall-clock limit with a timeout, which is not a failure', async () => {
  const deadlines: number[] = [];
  const waiting = strategyOf('micro', { wait: patience });
  const late: FactorStrategy = {
    ...waiting,
    wallSeconds: 0.05,
    attempt: async (work, arm, run) => {
      deadlines.push(run.deadline - systemClock.now());
      // half of them throw the signal's reason, as `fetch` does
      if (deadlines.length % 2 === 1) return await waiting.attempt(work, arm, run);
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
      throw run.signal.reason;
    },
  };
  const { engine, events } = engineOf([late]);
  engine.add({ n: 15 });
  expect(await engine.run()).toMatchObject({ reason: 'done', goals_solved: 0 });
  const outcomes = ofType(events, 'attempt-finished').map(({ outcome, error }) => [outcome, error]);
  expect(outcomes.length).toBeGreaterThan(1);
  for (const outcome of outcomes) expect(outcome).toEqual(['timeout', 'wall-clock limit reached']);
  expect(Math.max(...deadlines)).toBeLessThanOrEqual(50);
  expect(ofType(events, 'note')).toEqual([]);
});

test('a hard goal requests a lemma, which is proved as a separate goal and wakes it', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { hint: byHint, two: division(2) })]);
  engine.add({ n: 121 });
  expect(await engine.run()).toMatchObject({ goals_total: 1, goals_solved: 1 });
  expect(ofType(events, 'ticket-opened')[0]).toMatchObject({
    goal: '121',
    requester: 'factor 121',
    status: 'open',
  });
  expect(ofType(events, 'ticket-completed')).toHaveLength(1);
  expect(ofType(events, 'goal-added').map(({ requester }) => requester)).toEqual([null, 'factor 121']);
});

test('pinned goals come first', async () => {
  const pins = new Set(['factor 121']);
  const { engine, events } = engineOf([strategyOf('micro', { two: division(20) })], { pins });
  engine.add({ n: 15 });
  engine.add({ n: 121 });
  await engine.run();
  expect(ofType(events, 'goal-opened')[0]).toMatchObject({ goal: 'factor 121', priority: 1 });
  const examined = ofType(events, 'goal-examined').find(({ goal }) => goal === 'factor 121');
  expect(examined).toMatchObject({ priority: 1 });
});

test('a goal raises its limits after its lemma had the same budget, and then requests lemmas again', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { a: failing })]);
  engine.add({ n: 13 });
  expect(await engine.run()).toMatchObject({ goals_total: 1, goals_solved: 0 });
  const attempts = ofType(events, 'attempt-started').map(
    ({ goal, limits }) => `${goal === 'factor 13' ? 'goal' : 'lemma'} ${limits.cpu_seconds}`,
  );
  expect(attempts).toEqual(['goal 0.8', 'lemma 0.8', 'goal 2.4', 'goal 8']);
});

test('an exception in a strategy fails its attempt, not the run; a user error ends the run', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { buggy, divide: division(100) })]);
  engine.add({ n: 33 });
  expect(await engine.run()).toMatchObject({ goals_solved: 1 });
  expect(ofType(events, 'attempt-finished').find(({ arm }) => arm === 'micro/buggy')?.outcome).toBe('broken');
  expect(ofType(events, 'note')[0]?.text).toContain('oops');

  const second = engineOf([strategyOf('micro', { broken })]);
  second.engine.add({ n: 33 });
  await expect(second.engine.run()).rejects.toThrow('no Lean');
});

test('an unreadable goal is closed with the reason; a goal of the same name is refused', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { divide: division(100) })]);
  expect(engine.add({ n: 1.5 })).toBe(true);
  expect(engine.add({ n: 1.5 })).toBe(false);
  await engine.run();
  expect(ofType(events, 'goal-closed')[0]).toMatchObject({ solved: false, reason: 'not a whole number' });
});

test('draining finishes running attempts and starts no new ones; stopping cancels them', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const slow = async (goal: Factoring): Promise<Outcome<number>> => {
    begin();
    await released;
    return await division(100)(goal);
  };
  const { engine, events } = engineOf([strategyOf('micro', { slow })], { config: { workers: 1 } });
  engine.add({ n: 15 });
  engine.add({ n: 21 });
  const running = engine.run();
  await begun;
  engine.drain();
  release();
  expect(await running).toMatchObject({ reason: 'drained', goals_solved: 1, goals_total: 2 });
  expect(ofType(events, 'goal-opened')).toHaveLength(1);

  const waiting = engineOf([strategyOf('micro', { wait: patience })]);
  waiting.engine.add({ n: 15 });
  const stopped = waiting.engine.run();
  await expect.poll(() => ofType(waiting.events, 'attempt-started')).toHaveLength(1);
  waiting.engine.stop();
  expect(await stopped).toMatchObject({ reason: 'drained', goals_solved: 0 });
  expect(ofType(waiting.events, 'attempt-finished')[0]?.outcome).toBe('cancelled');
});

test('a run ends at its time limit, and a withdrawn goal is dropped at once', async () => {
  const time = { ms: 0 };
  const { engine, events } = engineOf([strategyOf('micro', { wait: patience })], {
    config: { timeout: 0.3 },
    clock: { ...systemClock, now: () => time.ms },
  });
  const opened = (): string[] => ofType(events, 'goal-opened').map(({ goal }) => goal);
  for (const n of [15, 21, 35]) engine.add({ n });
  const running = engine.run();
  await expect.poll(opened).toContain('factor 15');
  engine.withdraw('factor 15', 'its file changed');
  await expect.poll(opened).toContain('factor 35'); // there are two workers, and one was free again
  time.ms = 1000;
  expect(await running).toMatchObject({ reason: 'timeout' });
  expect(ofType(events, 'goal-closed')).toMatchObject([{ goal: 'factor 15', reason: 'its file changed' }]);
});

test.each(['ucb1', 'static', 'contextual'] as const)(
  'the decisions of a run by %s can be replayed from its events',
  async (policy) => {
    const strategies = [
      strategyOf('micro', { a: division(3), b: division(5), c: failing, d: division(50) }),
      strategyOf('deep', { divide: division(1000) }, 'heavy'),
    ];
    const { engine, events } = engineOf(strategies, { config: { policy } });
    for (const n of [15, 1189, 10403, 49, 77, 13, 101]) engine.add({ n });
    await engine.run();
    const { decisions, differences } = replayDecisions(events);
    expect(decisions).toBeGreaterThan(15);
    expect(differences).toEqual([]);

    const tampered = events.map((event) =>
      event.type === 'slate-started'
        ? { ...event, arms: event.arms.toReversed(), round: event.round + 1 }
        : event,
    );
    expect(replayDecisions(tampered).differences.length).toBeGreaterThan(0);
  },
);
