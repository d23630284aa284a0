import { expect, test } from 'vitest';
import type { Judgement } from '../../../src/core/verdict.ts';
import { engineOf, FactorDomain, forgetful, ofType, spent, strategyOf, type Factoring } from './factoring.ts';

/**
 * A negative candidate says: this number has a factor because that of the candidate has one. It is right as soon as the other is proved.
 */
class GivenDomain extends FactorDomain {
  readonly found = new Set<number>();
  readonly settled: number[] = [];
  readonly isFalse: (n: number) => boolean;

  constructor(isFalse: (n: number) => boolean = () => false) {
    super();
    this.isFalse = isFalse;
  }

  override async judge(work: { goal: Factoring }, candidate: number): Promise<Judgement<string>> {
    const judged = await super.judge(work, candidate);
    if (candidate > 0) return judged;
    const given = [{ name: String(-candidate), goal_hash: String(-candidate) }];
    return { ...judged, kind: 'conditional', message: `proved, given ${-candidate}`, given };
  }

  override async polish(_: unknown, candidate: number): Promise<{ candidate: number; cpuSeconds: number }> {
    return { candidate, cpuSeconds: 0 };
  }

  proved({ n }: Factoring): void {
    this.found.add(n);
  }

  async settle({ n }: Factoring, proof: string): Promise<Judgement<string> | undefined> {
    this.settled.push(n);
    if (!this.found.has(-Number(proof))) return undefined;
    const accepted = { verdict: 'accepted', kind: 'proved', message: '', assurance: 'replayed' } as const;
    return { ...accepted, evidence: 'factors', cpuSeconds: 0.001 };
  }

  async refute({
    goal: { n },
  }: {
    goal: Factoring;
  }): Promise<{ instance: string | null; cpuSeconds: number }> {
    return { instance: this.isFalse(n) ? `${n} is prime` : null, cpuSeconds: 0 };
  }
}

/** What each number answers; those that are not named fail. */
const answering = (answers: Readonly<Record<number, number>>): ReturnType<typeof strategyOf> =>
  strategyOf('micro', {
    answer: async ({ n }) => {
      const candidate = answers[n];
      return candidate === undefined
        ? { kind: 'failed', message: 'no idea', ...spent }
        : { kind: 'solved', candidate, ...spent };
    },
  });

async function play(
  numbers: readonly number[],
  answers: Readonly<Record<number, number>>,
  domain = new GivenDomain(),
  { memory = forgetful, ...more }: { memory?: typeof forgetful; resumes?: string } = {},
): Promise<ReturnType<typeof engineOf>['events']> {
  const config = { workers: 1 };
  const { engine, events } = engineOf([answering(answers)], { domain, memory, config, ...more });
  for (const n of numbers) engine.add({ n });
  await engine.run();
  return events;
}

test('a goal that follows from another one counts when that is proved, without a further search', async () => {
  const domain = new GivenDomain();
  const events = await play([15, 35], { 15: -35, 35: 5 }, domain);
  expect(ofType(events, 'goal-parked')).toMatchObject([{ goal: 'factor 15', reason: 'given' }]);
  expect(ofType(events, 'goal-closed')).toMatchObject([
    { goal: 'factor 35', solved: true },
    { goal: 'factor 15', solved: true, proof: '-35', arm: 'micro/answer', reason: 'proved' },
  ]);
  expect(ofType(events, 'run-finished')).toMatchObject([{ goals_solved: 2 }]);
  expect(domain.settled).toEqual([15]);
  // the attempt that found it, and the one that settled it
  expect(ofType(events, 'attempt-finished').filter(({ goal }) => goal === 'factor 15')).toMatchObject([
    { outcome: 'blocked' },
    { outcome: 'solved' },
  ]);
});

test('a chain of goals is settled in order', async () => {
  const events = await play([8, 15, 35], { 8: -15, 15: -35, 35: 5 });
  expect(ofType(events, 'goal-closed').map(({ goal, solved }) => [goal, solved])).toEqual([
    ['factor 35', true],
    ['factor 15', true],
    ['factor 8', true],
  ]);
});

test('if the other goal ends open, the search goes on, and the result says what it rests on', async () => {
  const events = await play([15, 7], { 15: -7 });
  expect(ofType(events, 'run-finished')).toMatchObject([{ goals_solved: 0, goals_total: 2 }]);
  const last = ofType(events, 'goal-closed').find(({ goal }) => goal === 'factor 15');
  expect(last).toMatchObject({
    solved: false,
    proof: null,
    given: { proof: '-7', assumes: ['7'] },
    reason: expect.stringMatching(/^proved, given 7; /) as string,
  });
  const searched = ofType(events, 'slate-started').filter(({ goal }) => goal === 'factor 15');
  expect(searched.length).toBeGreaterThan(1);
});

test('nothing depends on a goal that is false', async () => {
  const events = await play([15, 7], { 15: -7 }, new GivenDomain((n) => n === 7));
  expect(ofType(events, 'goal-closed')).toContainEqual(
    expect.objectContaining({ goal: 'factor 7', refuted: '7 is prime' }),
  );
  const last = ofType(events, 'goal-closed').find(({ goal }) => goal === 'factor 15');
  expect(last?.given).toBeUndefined();
  expect(last?.reason).not.toMatch(/given/);
});

test('goals that would follow from each other end open', async () => {
  const events = await play([15, 35], { 15: -35, 35: -15 });
  expect(ofType(events, 'run-finished')).toMatchObject([{ reason: 'done', goals_solved: 0 }]);
  expect(ofType(events, 'goal-closed').filter(({ solved }) => solved)).toEqual([]);
});

test('a later run remembers such a proof and judges it when the other goal is proved', async () => {
  const memory = { ...forgetful, provedBefore: async (hash: string) => (hash === '15' ? ['-35'] : []) };
  const events = await play([15, 35], { 35: 5 }, new GivenDomain(), { memory });
  expect(ofType(events, 'run-finished')).toMatchObject([{ goals_solved: 2 }]);
  expect(ofType(events, 'slate-started').filter(({ goal }) => goal === 'factor 15')).toEqual([]);
});

test('a goal that an earlier part of the run proved is looked up', async () => {
  const domain = new GivenDomain();
  domain.found.add(35);
  const events = await play([15], { 15: -35 }, domain, { resumes: 'earlier' });
  const closed = ofType(events, 'goal-closed').filter(({ goal }) => goal === 'factor 15');
  expect(closed).toMatchObject([{ solved: true }]);
});

test('a goal that was solved first is used as well, when its proof has given back the worker', async () => {
  const domain = new GivenDomain();
  const events = await play([35, 15], { 15: -35, 35: 5 }, domain);
  expect(ofType(events, 'goal-parked')).toMatchObject([{ goal: 'factor 15', reason: 'given' }]);
  expect(ofType(events, 'run-finished')).toMatchObject([{ goals_solved: 2 }]);
  expect(domain.settled).toEqual([15]);
});

test('a proof that cannot be settled is judged again once, and the search goes on', async () => {
  const domain = new GivenDomain();
  domain.proved = () => undefined;
  const events = await play([35, 15], { 15: -35, 35: 5 }, domain);
  expect(ofType(events, 'run-finished')).toMatchObject([{ reason: 'done', goals_solved: 1 }]);
  expect(domain.settled).toEqual([15]);
});

test('a polished proof takes the place of the one that was found', async () => {
  class Polishing extends FactorDomain {
    override async polish(): Promise<{ candidate: number; cpuSeconds: number }> {
      return { candidate: 3, cpuSeconds: 0 };
    }
  }
  const { engine, events } = engineOf([answering({ 15: 5 })], { domain: new Polishing() });
  engine.add({ n: 15 });
  await engine.run();
  expect(ofType(events, 'candidate-judged').map(({ proof }) => proof)).toEqual(['5', '3']);
  expect(ofType(events, 'goal-closed')).toMatchObject([{ solved: true, proof: '3' }]);
});
