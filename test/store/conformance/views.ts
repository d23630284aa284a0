import { describe, expect, test } from 'vitest';
import { limits } from '../../helpers/event-bodies.ts';
import { hashOf, start, Story } from '../ledger/story.ts';
import { wholeRun, type OpenLedger } from './open.ts';

export function viewsShow(open: OpenLedger): void {
  describe('views of a run', () => {
    test('goals have a status', async () => {
      const { ledger } = await open(wholeRun().events);
      expect(await ledger.views.goalsOf('run-1')).toMatchObject([
        {
          goal: 'g1',
          goal_hash: hashOf('g1'),
          fingerprint: 'print',
          difficulty: 0.3,
          status: 'solved',
          attempts: 2,
          cpu_seconds: 1.5, // examined 0.25, two attempts of 0.5, two verdicts of 0.125
          latest_error: 'simp made no progress',
          reason: 'proved',
        },
        { goal: 'g2', status: 'parked', ticket: 'lem-1', attempts: 0 },
      ]);
      expect(await ledger.views.goal('run-1', 'g1')).toMatchObject({
        features: { size: 5, hypotheses: 1 },
        slates: [{ round: 1, arms: [{ arm: 'micro/close' }, { arm: 'micro/cases' }] }],
        attempt_rows: [
          {
            attempt: 'a1',
            outcome: 'failed',
            params: limits,
            tactics: ['simp_all'],
            premises: ['Nat.add_zero'],
          },
          { attempt: 'a2', outcome: 'solved', reward: 0.8 },
        ],
        verdicts: [{ verdict: 'rejected' }, { verdict: 'accepted', kind: 'proved' }],
        proofs: [
          { attempt: 'a2', assurance: 'replayed', toolchain: 'lean-4.28.0-embedded', axioms: ['propext'] },
        ],
      });
      expect(await ledger.views.goal('run-1', 'nobody')).toBeUndefined();
    });

    test('goals left open are stopped when the run ends, and a resuming run takes them', async () => {
      const { ledger } = await open(wholeRun().end().events);
      expect(await ledger.views.goalsOf('run-1')).toMatchObject([
        { goal: 'g1', status: 'solved', reason: 'proved' },
        { goal: 'g2', status: 'stopped', ticket: null, reason: 'the run ended first' },
      ]);
      expect((await ledger.experience.openGoals('run-1')).map(({ goal }) => goal)).toEqual(['g2']);
    });

    test('a finished run is marked as such; an active one counts its goals', async () => {
      const { ledger } = await open([...wholeRun().events, ...new Story('run-2').begin().end().events]);
      expect(await ledger.views.runs(10)).toMatchObject([
        { run: 'run-2', reason: 'done', utilisation: 0.48, goals_total: 2 },
        {
          run: 'run-1',
          reason: null,
          finished: null,
          goals_total: 2,
          goals_solved: 1,
          config: { profile: 0 },
        },
      ]);
      expect(await ledger.views.run('run-2')).toMatchObject({ seed: 7, sources: ['bank'] });
    });

    test('a helper lemma is a goal of the run, but not one the user requested', async () => {
      const story = new Story().begin().add('g1').add('helper', { requester: 'g1' });
      story.tell('goal-opened', { goal: 'helper', priority: 0.5, round: 1 }).closeGoal('g1');
      const { ledger } = await open(story.events);
      expect(await ledger.views.goalsOf('run-1')).toMatchObject([
        { goal: 'g1', requester: null, status: 'solved' },
        { goal: 'helper', requester: 'g1', status: 'racing' },
      ]);
      expect(await ledger.views.runs(1)).toMatchObject([{ goals_total: 1, goals_solved: 1 }]);
      expect(await ledger.experience.unfinishedRuns()).toEqual([]);
    });

    test('attempts are counted per arm and hour', async () => {
      const { ledger, clock } = await open(wholeRun().events);
      expect(await ledger.views.arms(0)).toEqual([
        {
          strategy: 'micro',
          arm: 'micro/cases',
          attempts: 1,
          successes: 1,
          cpu_seconds: 0.5,
          wall_seconds: 1,
          gpu_seconds: 0,
          cloud_seconds: 0,
          input_tokens: 0,
          output_tokens: 0,
          microdollars: 0,
          cache_hits: 2,
          attempts_with_hits: 1,
          outcomes: { solved: 1 },
        },
        expect.objectContaining({ arm: 'micro/close', attempts: 1, successes: 0, outcomes: { failed: 1 } }),
      ]);
      const hour = 3_600_000;
      expect(await ledger.views.arms(start + hour - 1)).toHaveLength(2);
      expect(await ledger.views.arms(start + hour)).toEqual([]);
      clock.at = start + 30 * 24 * hour; // as seen from far away, days count
      expect(await ledger.views.arms(start + hour)).toHaveLength(2);
      expect(await ledger.views.arms(start + 24 * hour)).toEqual([]);
      expect(await ledger.views.strategiesByHour(0)).toEqual([
        { hour: start, strategy: 'micro', attempts: 2, successes: 1, cpu_seconds: 1 },
      ]);
      expect(await ledger.views.totals()).toEqual({
        successes: 1,
        goals_known: 2,
        goals_solved: 1,
        goals_refuted: 0,
        cached_goals: 1,
      });
    });

    test('a refuted goal is closed with the counterexample, counted separately, and reopened by a retry', async () => {
      const story = new Story()
        .begin()
        .add('g1')
        .add('g2')
        .examine('g1')
        .refute('g1', 'a := 3')
        .closeGoal('g2', false);
      const { ledger } = await open(story.events);
      expect(await ledger.views.goalsOf('run-1')).toMatchObject([
        { goal: 'g1', status: 'refuted', refuted: 'a := 3', reason: 'refuted' },
        { goal: 'g2', status: 'unsolved', refuted: null },
      ]);
      expect(await ledger.views.totals()).toMatchObject({
        goals_known: 1,
        goals_solved: 0,
        goals_refuted: 1,
      });
      expect(await ledger.experience.lessons(9)).toMatchObject([{ solved: false }]);
      const obeyed = { request: 1, action: 'retry', goal: 'g1', value: null, refused: null } as const;
      for (const event of new Story().tell('control-obeyed', obeyed).events)
        await ledger.journal.append([event]);
      expect(await ledger.views.goal('run-1', 'g1')).toMatchObject({ status: 'queued', refuted: null });
      expect(await ledger.verify()).toEqual([]);
    });

    test('the remote cost of attempts is summed per arm', async () => {
      const tokens = { gpu_seconds: 1.5, cloud_seconds: 2, input_tokens: 700, output_tokens: 30 };
      const asked = { name: 'openai:m', prompts: [], calls: 1, recorded: 0, microdollars: 2750, said: [] };
      const spent = { ...tokens, model: asked };
      const story = new Story()
        .begin()
        .add('g1')
        .finishAttempt('a1', 'g1', spent)
        .finishAttempt('a2', 'g1', spent);
      const { ledger } = await open(story.events);
      const twice = {
        gpu_seconds: 3,
        cloud_seconds: 4,
        input_tokens: 1400,
        output_tokens: 60,
        microdollars: 5500,
      };
      expect(await ledger.views.arms(0)).toMatchObject([twice]);
      expect(await ledger.views.armsOf('run-1')).toMatchObject([twice]);
      expect((await ledger.views.goal('run-1', 'g1'))?.attempt_rows).toMatchObject([spent, spent]);
    });

    test('a candidate accepted twice counts once, and one below `replayed` does not count', async () => {
      const story = new Story()
        .begin()
        .add('g1')
        .finishAttempt('a1', 'g1', { outcome: 'solved' })
        .judge('a1', 'g1', { assurance: 'axioms-clean' })
        .judge('a1', 'g1')
        .judge('a1', 'g1')
        .judge(null, 'g1');
      const { ledger } = await open(story.events);
      expect(await ledger.views.arms(0)).toMatchObject([{ attempts: 1, successes: 1 }]);
      expect(await ledger.experience.provedBefore(hashOf('g1'))).toHaveLength(3);
      expect(await ledger.views.totals()).toEqual({
        successes: 1,
        goals_known: 1,
        goals_solved: 1,
        goals_refuted: 0,
        cached_goals: 1,
      });
    });
  });

  describe('the figures of a run over time', () => {
    test('are thinned evenly and keep the last one', async () => {
      const story = new Story().begin().add('g1').examine('g1');
      for (let index = 0; index < 25; index++) story.sample().slate('g1', 'micro/close');
      const { ledger } = await open(story.events);
      const samples = await ledger.views.samplesOf('run-1', 10);
      expect(samples).toHaveLength(9);
      expect(new Set(samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? 0)))).toEqual(
        new Set([6000]),
      );
      expect(samples.at(-1)).toEqual(await ledger.views.lastSampleOf('run-1'));
      expect(await ledger.views.samplesOf('run-1', 100)).toHaveLength(25);
      expect(await ledger.views.scoresOf('run-1', 5)).toHaveLength(5);
      expect(await ledger.views.samplesOf('run-2', 10)).toEqual([]);
      expect(await ledger.views.lastSampleOf('run-2')).toBeUndefined();
    });

    test('count a goal once, however often it was closed', async () => {
      const story = new Story().begin().add('g1').add('g2').closeGoal('g1', false).closeGoal('g2');
      story.tell('control-requested', { action: 'retry', goal: 'g1', value: null });
      story.tell('control-obeyed', { request: 6, action: 'retry', goal: 'g1', value: null, refused: null });
      const { ledger } = await open(story.events);
      expect((await ledger.views.goalStates('run-1')).map(({ status }) => status)).toEqual([
        'queued',
        'solved',
      ]);
      await ledger.journal.append([story.closeGoal('g1').events.at(-1) ?? expect.fail()]);
      expect(
        (await ledger.views.progressOf('run-1', 10)).map(({ closed, solved }) => [closed, solved]),
      ).toEqual([
        [1, 0],
        [2, 1],
        [2, 2],
      ]);
    });

    test('give a killed run the cost of its last sample', async () => {
      const { ledger } = await open([
        ...new Story('a').begin().sample().end().events,
        ...new Story('b').begin().sample().events,
      ]);
      expect(await ledger.views.cpuSeconds()).toBe(13.5);
    });
  });

  describe('requests of users', () => {
    test('are found by their run, with their outcome', async () => {
      const story = new Story().begin().add('g1');
      story.tell('control-requested', { action: 'priority', goal: 'g1', value: 0.75 });
      story.tell('control-requested', { action: 'pause', goal: null, value: null });
      const { ledger } = await open(story.events);
      expect(await ledger.views.controlRequests('run-1', 0)).toEqual([
        { seq: 3, action: 'priority', goal: 'g1', value: 0.75 },
        { seq: 4, action: 'pause', goal: null, value: null },
      ]);
      expect(await ledger.views.controlRequests('run-1', 3)).toHaveLength(1);
      expect(await ledger.views.controlRequests('run-2', 0)).toEqual([]);
      expect(await ledger.views.isPaused('run-1')).toBe(false);

      const answers = new Story()
        .tell('control-obeyed', { request: 3, action: 'priority', goal: 'g1', value: 0.75, refused: null })
        .tell('control-obeyed', { request: 4, action: 'pause', goal: null, value: null, refused: null });
      for (const event of answers.events) await ledger.journal.append([event]);
      expect(await ledger.views.isPaused('run-1')).toBe(true);
      expect((await ledger.views.goal('run-1', 'g1'))?.priority).toBe(0.75);
      expect(await ledger.views.controlsOf('run-1', 10)).toMatchObject([
        { seq: 4, action: 'pause', obeyed: { refused: null } },
        { seq: 3, action: 'priority', value: 0.75, obeyed: { refused: null } },
      ]);
      expect(await ledger.verify()).toEqual([]);
    });
  });
}
