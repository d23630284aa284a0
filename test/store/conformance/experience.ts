import { describe, expect, test } from 'vitest';
import { Bandit } from '../../../src/core/bandit.ts';
import type { CachedPremises, TacticStep } from '../../../src/store/ledger/search-memory.ts';
import { LedgerConflict } from '../../../src/store/ledger/ledger.ts';
import { limits } from '../../helpers/event-bodies.ts';
import { hashOf, Story } from '../ledger/story.ts';
import { goalsByJudge } from '../../../src/store/ledger/unchecked.ts';
import { wholeRun, type OpenLedger } from './open.ts';

const stateOf = (number: number): string => number.toString(16).padStart(32, '0');
const step = (number: number, body: Partial<TacticStep> = {}): TacticStep => ({
  state: stateOf(number),
  tactic: 'simp',
  outcome: 'failed',
  cpuSeconds: 0.25,
  heartbeats: 1000,
  premises: [],
  next: [],
  words: [],
  ...body,
});

const cachedFor = (goalHash: string, premises: string[], helped: string[] = []): CachedPremises => ({
  goalHash,
  fingerprint: 'print',
  encoder: 'e1',
  vector: 'Zm9v',
  premises,
  helped,
});

export function experienceHolds(open: OpenLedger): void {
  describe('the engine’s memory', () => {
    test('the average of an arm is a moving average from 0.05 over the rewards that count', async () => {
      const story = new Story().begin().add('g1');
      for (const [index, reward] of [1, null, 0, 0.5].entries())
        story.finishAttempt(`a${index}`, 'g1', { reward, context: index === 3 ? 'hard' : 'easy' });
      const { ledger } = await open(story.events);
      const easy = 0.9 * (0.9 * 0.05 + 0.1 * 1);
      expect(await ledger.experience.armRecords()).toEqual([
        { arm: 'micro/close', context: '', trials: 3, mean: expect.closeTo(0.9 * easy + 0.1 * 0.5, 12) },
        { arm: 'micro/close', context: 'easy', trials: 2, mean: expect.closeTo(easy, 12) },
        { arm: 'micro/close', context: 'hard', trials: 1, mean: expect.closeTo(0.9 * 0.05 + 0.1 * 0.5, 12) },
      ]);
    });

    test('the averages equal those of the bandit to the last bit', async () => {
      const story = new Story().begin().add('g1');
      const bandit = new Bandit();
      for (let index = 0; index < 40; index++) {
        const [arm, context, reward] = [
          index % 3 ? 'micro/close' : 'micro/cases',
          `c${index % 2}`,
          (index % 7) / 7,
        ];
        story.finishAttempt(`a${index}`, 'g1', { arm, context, reward });
        bandit.learn(arm, context, reward);
      }
      const { ledger } = await open(story.events);
      const known = bandit.records().sort((a, b) => (a.arm + a.context < b.arm + b.context ? -1 : 1));
      expect(await ledger.experience.armRecords()).toEqual(known);
    });

    test('only definite failures count as tried', async () => {
      const story = new Story().begin().add('g1');
      const kinds = ['solved', 'failed', 'timeout', 'exhausted', 'cancelled', 'blocked', 'broken'] as const;
      for (const outcome of kinds)
        story.finishAttempt(`a-${outcome}`, 'g1', { outcome, signature: outcome, arm: 'micro/close' });
      const { ledger } = await open(story.events);
      expect(await ledger.experience.tried(hashOf('g1'), 'print')).toEqual([
        { arm: 'micro/close', signature: 'exhausted', limits },
        { arm: 'micro/close', signature: 'failed', limits },
      ]);
      expect(await ledger.experience.tried(hashOf('g1'), 'another')).toEqual([]);
      expect(await ledger.experience.goalHistory(hashOf('g1'))).toEqual({
        attempts: 7,
        failures: 2,
        proofs: 0,
        cpuSeconds: 3.5,
      });
      expect(await ledger.experience.goalHistory('nobody')).toEqual({
        attempts: 0,
        failures: 0,
        proofs: 0,
        cpuSeconds: 0,
      });
    });

    test('proofs are returned newest first, from any run', async () => {
      const first = new Story('run-1').begin().add('g1').judge(null, 'g1', { proof: 'by omega' });
      const second = new Story('run-2')
        .begin()
        .add('g1')
        .judge(null, 'g1', { proof: 'rfl', fingerprint: 'new' });
      const { ledger } = await open([...first.events, ...second.events]);
      expect(await ledger.experience.provedBefore(hashOf('g1'))).toMatchObject([
        { proof: 'rfl', fingerprint: 'new' },
        { proof: 'by omega', fingerprint: 'print' },
      ]);
    });

    test('proofs from open theorems and refuted goals are remembered, and are no proofs', async () => {
      const open_ = { verdict: 'rejected', kind: 'conditional', assurance: null } as const;
      const story = new Story().begin().add('g1').examine('g1').add('g2').examine('g2');
      story.judge(null, 'g1', { ...open_, proof: 'old' }).judge(null, 'g1', { ...open_, proof: 'new' });
      story.judge(null, 'g1', { verdict: 'rejected', kind: 'sorry', assurance: null, proof: 'none' });
      story.refute('g2');
      const { experience } = (await open(story.events)).ledger;
      expect(await experience.provedFromOthers(hashOf('g1'))).toEqual(['new', 'old']);
      expect(await experience.provedFromOthers(hashOf('g2'))).toEqual([]);
      expect(await experience.provedBefore(hashOf('g1'))).toEqual([]);
      expect(await experience.refutedBefore()).toEqual([hashOf('g2')]);
    });

    test('a proof counts for each judge that accepted it', async () => {
      const story = new Story('run-1').begin();
      for (const goal of ['g1', 'g2', 'g3']) story.add(goal).judge(null, goal);
      story.add('g4').judge(null, 'g4', { judge: 'new' });
      for (const goal of ['g1', 'g2', 'g3', 'g4']) story.closeGoal(goal);
      const { ledger } = await open(story.events);
      const uncheckedBy = async (judge: string): Promise<string[]> =>
        (await ledger.views.uncheckedGoals(judge)).map(({ goal }) => goal).toSorted();
      expect(await uncheckedBy('new')).toEqual(['g1', 'g2', 'g3']);

      const proofOf = async (goal: string): Promise<number> =>
        (await ledger.views.goal('run-1', goal))?.proofs[0]?.seq ?? expect.fail();
      const audits = new Story('run-1')
        .audit('g1', await proofOf('g1'), 'new')
        .audit('g2', await proofOf('g2'), 'new', false);
      await ledger.journal.append(audits.events);
      expect(await uncheckedBy('new')).toEqual(['g2', 'g3']);
      expect(await uncheckedBy('newer')).toEqual(['g1', 'g2', 'g3', 'g4']);
      expect(await ledger.experience.provedBefore(hashOf('g1'))).toMatchObject([{ judge: 'new' }]);
      expect(await ledger.experience.provedBefore(hashOf('g2'))).toEqual([]);
      const rows = await goalsByJudge(ledger, await ledger.views.goalsOf('run-1'), 'new');
      expect(rows.map(({ goal, status, reason }) => [goal, status, reason])).toEqual([
        ['g1', 'solved', 'proved'],
        ['g2', 'unsolved', 'unchecked-by-current-judge'],
        ['g3', 'unsolved', 'unchecked-by-current-judge'],
        ['g4', 'solved', 'proved'],
      ]);
    });

    test('an audit of a missing proof is refused', async () => {
      const { ledger } = await open(new Story('run-1').begin().add('g1').events);
      const audit = new Story('run-1').audit('g1', 77, 'new');
      await expect(ledger.journal.append(audit.events)).rejects.toThrow(/does not have/);
    });

    test('lessons come from goals that were closed', async () => {
      const story = new Story().begin();
      for (const goal of ['g1', 'g2', 'g3']) story.add(goal).examine(goal);
      const { ledger } = await open(story.closeGoal('g1').closeGoal('g2', false).events);
      expect(await ledger.experience.lessons(10)).toEqual([
        { features: { size: 5, hypotheses: 1 }, label: 'easy', solved: false, cpuSeconds: 0.25 },
        { features: { size: 5, hypotheses: 1 }, label: 'easy', solved: true, cpuSeconds: 0.25 },
      ]);
    });

    test('informative attempts become lessons, with the goal’s features', async () => {
      const story = new Story()
        .begin()
        .add('g1')
        .examine('g1')
        .finishAttempt('a1', 'g1', { reward: 0, cpu_seconds: 2 })
        .finishAttempt('a2', 'g1', { reward: null, outcome: 'cancelled' })
        .finishAttempt('a3', 'g1', { arm: 'micro/induct', reward: 0.75, cpu_seconds: 4 });
      const { ledger } = await open(story.events);
      const seen = { run: 'run-1', goal: 'g1', context: '', features: { size: 5, hypotheses: 1 } };
      expect(await ledger.experience.armLessons(10)).toEqual([
        { ...seen, arm: 'micro/induct', reward: 0.75, cpuSeconds: 4 },
        { ...seen, arm: 'micro/close', reward: 0, cpuSeconds: 2 },
      ]);
    });

    test('an interrupted run reports open and lost goals until another run continues it', async () => {
      const { ledger } = await open(wholeRun().events);
      expect(await ledger.experience.unfinishedRuns()).toMatchObject([
        { run: 'run-1', command: 'bank', reason: null, openGoals: 1, config: { timeout: 900 }, owner: null },
      ]);
      expect(await ledger.experience.openGoals('run-1')).toMatchObject([
        { goal: 'g2', statement: 'theorem g2 (a : Nat) : a + 0 = a', allowAxioms: [], task: { id: 'g2' } },
      ]);
      expect(await ledger.experience.inFlight('run-1')).toMatchObject([
        { attempt: 'a3', goal: 'g2', arm: 'micro/close' },
      ]);
      await ledger.journal.append(new Story('run-2').begin('run-1').events);
      expect(await ledger.experience.unfinishedRuns()).toEqual([]);
      const third = new Story('run-3').begin('run-1').events;
      await expect(ledger.journal.append(third)).rejects.toThrow(LedgerConflict); // once is enough
    });

    test.each([
      ['drained', true],
      ['failed', true],
      ['timeout', true],
      ['done', false],
    ] as const)('a run that ended as %s can be continued: %s', async (reason, can) => {
      const { ledger } = await open(new Story().begin().add('g1').end(reason).events);
      expect(await ledger.experience.unfinishedRuns()).toHaveLength(can ? 1 : 0);
    });
  });

  describe('the memory of searches', () => {
    test('steps are returned as stored; a repeated one replaces the old one', async () => {
      const { ledger } = await open();
      const advanced = step(1, {
        tactic: 'induction n with\n| zero => skip',
        outcome: 'advanced',
        premises: ['Nat.rec'],
        next: [stateOf(2), stateOf(3)],
        words: ['⊢ 0 = 0', 'n : Nat\n⊢ n = n'],
      });
      await ledger.experience.noteSteps([step(1), advanced, step(2, { outcome: 'timeout' }), step(4)]);
      await ledger.experience.noteSteps([step(2, { outcome: 'closed', heartbeats: 2000 })]);
      const found = await ledger.experience.stepsFrom([stateOf(1), stateOf(2), stateOf(9)]);
      expect(found).toHaveLength(3);
      expect(found).toEqual(
        expect.arrayContaining([step(1), advanced, step(2, { outcome: 'closed', heartbeats: 2000 })]),
      );
      expect(await ledger.experience.stepsFrom([])).toEqual([]);
      await expect(ledger.experience.noteSteps([step(1, { state: 'short' })])).rejects.toThrow(
        '32 hexadecimal digits',
      );
    });

    test('premises have counts of the steps with them that made progress', async () => {
      const { ledger } = await open();
      await ledger.experience.noteSteps([
        step(1, { premises: ['a', 'b'], outcome: 'failed' }),
        step(2, { premises: ['a'], outcome: 'advanced' }),
        step(3, { premises: ['c'] }),
      ]);
      expect(await ledger.experience.premiseRecord(['a', 'b'])).toEqual([
        { name: 'a', tried: 2, helped: 1 },
        { name: 'b', tried: 1, helped: 0 },
      ]);
    });

    test('the table keeps to its maximum size by dropping the oldest', async () => {
      const { ledger } = await open([], { steps: 100, frontiers: 2, nodesOfAFrontier: 3, premises: 2 });
      for (let batch = 0; batch < 10; batch++) {
        await ledger.experience.noteSteps(Array.from({ length: 30 }, (_, index) => step(batch * 30 + index)));
        await ledger.experience.noteSteps([step(0)]); // seen again: not old
      }
      const all = await ledger.experience.stepsFrom(
        Array.from({ length: 300 }, (_, index) => stateOf(index)),
      );
      expect(all.length).toBeGreaterThan(80);
      expect(all.length).toBeLessThanOrEqual(100);
      const kept = all.map(({ state }) => Number.parseInt(state, 16)).sort((a, b) => a - b);
      expect(kept[0]).toBe(0);
      expect(kept.at(-1)).toBe(299);
      expect(kept[1]).toBeGreaterThan(200);
    });

    test('a goal has the frontier of its last search, until that is empty', async () => {
      const { ledger } = await open([], { steps: 100, frontiers: 2, nodesOfAFrontier: 3, premises: 2 });
      const nodes = [5, 4, 3, 2].map((score) => ({
        state: stateOf(score),
        tactics: ['intro n', 'cases n'],
        goals: ['n : Nat\n⊢ n = n'],
        score,
      }));
      const start = { state: stateOf(9), goals: ['⊢ ∀ n : Nat, n = n'] };
      await ledger.experience.saveFrontier('h1', 'print', start, nodes.slice(1));
      await ledger.experience.saveFrontier('h1', 'print', start, nodes);
      expect(await ledger.experience.frontier('h1', 'print')).toEqual(nodes.slice(0, 3));
      expect(await ledger.experience.frontier('h1', 'another')).toEqual([]);
      expect(await ledger.experience.frontiers(5)).toEqual([
        { goalHash: 'h1', fingerprint: 'print', start, nodes: nodes.slice(0, 3) },
      ]);
      await ledger.experience.saveFrontier('h2', 'print', start, nodes.slice(0, 1));
      await ledger.experience.saveFrontier('h3', 'print', start, nodes.slice(0, 1));
      expect(await ledger.experience.frontier('h1', 'print')).toEqual([]); // two goals are remembered
      await ledger.experience.saveFrontier('h3', 'print', start, []);
      expect((await ledger.experience.frontiers(5)).map(({ goalHash }) => goalHash)).toEqual([]);
      expect(await ledger.experience.frontier('h3', 'print')).toEqual([]);
      expect(await ledger.experience.searches('h3', 'print')).toEqual([{ start, nodes: [] }]);
      expect(await ledger.verify()).toEqual([]);
    });

    test('a goal keeps the premises that were found for it and those that its proofs used; the oldest goals are dropped', async () => {
      const { ledger } = await open([], { steps: 100, frontiers: 2, nodesOfAFrontier: 3, premises: 2 });
      const { experience } = ledger;
      await experience.cachePremises([cachedFor('h1', ['a', 'b'], ['b']), cachedFor('h2', ['c'])]);
      await experience.cachePremises([cachedFor('h1', ['b', 'a'])]);
      expect(await experience.cachedPremises(1, 'h1')).toEqual([cachedFor('h1', ['b', 'a'], ['b'])]);
      await experience.cachePremises([cachedFor('h3', ['d'])]);
      expect(await experience.cachedPremises(9)).toEqual([
        cachedFor('h3', ['d']),
        cachedFor('h1', ['b', 'a'], ['b']),
      ]);
      expect(await ledger.verify()).toEqual([]);
    });

    test('a goal finds the searches of its statement and holes, and no others', async () => {
      const { ledger } = await open();
      for (const [number, hash] of ['h1', 'h1:0a', 'h1:ff', 'h10', 'h1x', 'h0'].entries())
        await ledger.experience.saveFrontier(hash, 'print', { state: stateOf(number), goals: [] }, []);
      const found = await ledger.experience.searches('h1', 'print');
      expect(found.map(({ start }) => start.state)).toEqual([stateOf(0), stateOf(1), stateOf(2)]);
      expect(await ledger.experience.searches('h1', 'another')).toEqual([]);
    });
  });
}
