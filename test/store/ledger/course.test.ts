import { describe, expect, test } from 'vitest';
import { LedgerConflict } from '../../../src/store/ledger/ledger.ts';
import { Story } from './story.ts';
import { temporaryLedger } from './temporary.ts';

const obeyed = { action: 'retry', goal: 'g1', value: null, refused: null } as const;

describe('the course of a run', () => {
  test('is thinned evenly, and its end is always there', () => {
    const story = new Story().begin().add('g1').examine('g1');
    for (let index = 0; index < 25; index++) story.sample().slate('g1', 'micro/close');
    const { ledger } = temporaryLedger(story.events);
    const samples = ledger.samplesOf('run-1', 10);
    expect(samples).toHaveLength(9);
    expect(new Set(samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? 0)))).toEqual(
      new Set([6000]),
    );
    expect(samples.at(-1)).toEqual(ledger.lastSampleOf('run-1'));
    expect(ledger.samplesOf('run-1', 100)).toHaveLength(25);
    expect(ledger.scoresOf('run-1', 5)).toHaveLength(5);
    expect(ledger.samplesOf('run-2', 10)).toEqual([]);
    expect(ledger.lastSampleOf('run-2')).toBeUndefined();
  });

  test('counts a goal once, however often it was closed', () => {
    const story = new Story().begin().add('g1').add('g2').closeGoal('g1', false).closeGoal('g2');
    story.tell('control-requested', { action: 'retry', goal: 'g1', value: null });
    story.tell('control-obeyed', { request: 6, ...obeyed });
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.goalStates('run-1').map(({ status }) => status)).toEqual(['queued', 'solved']);
    ledger.append(story.closeGoal('g1').events.at(-1) ?? expect.fail());
    expect(ledger.progressOf('run-1', 10).map(({ closed, solved }) => [closed, solved])).toEqual([
      [1, 0],
      [2, 1],
      [2, 2],
    ]);
  });

  test('a run that was killed has cost what its last sample says', () => {
    const { ledger } = temporaryLedger([
      ...new Story('a').begin().sample().end().events,
      ...new Story('b').begin().sample().events,
    ]);
    expect(ledger.cpuSeconds()).toBe(13.5);
  });
});

describe('requests of people', () => {
  test('are found by the run that they are for, with what became of them', async () => {
    const story = new Story().begin().add('g1');
    story.tell('control-requested', { action: 'priority', goal: 'g1', value: 0.75 });
    story.tell('control-requested', { action: 'pause', goal: null, value: null });
    const { ledger } = temporaryLedger(story.events);
    expect(ledger.controlRequests('run-1', 0)).toEqual([
      { seq: 3, action: 'priority', goal: 'g1', value: 0.75 },
      { seq: 4, action: 'pause', goal: null, value: null },
    ]);
    expect(ledger.controlRequests('run-1', 3)).toHaveLength(1);
    expect(ledger.controlRequests('run-2', 0)).toEqual([]);
    expect(ledger.isPaused('run-1')).toBe(false);

    const answers = new Story()
      .tell('control-obeyed', { request: 3, action: 'priority', goal: 'g1', value: 0.75, refused: null })
      .tell('control-obeyed', { request: 4, action: 'pause', goal: null, value: null, refused: null });
    for (const event of answers.events) ledger.append(event);
    expect(ledger.isPaused('run-1')).toBe(true);
    expect(ledger.goal('run-1', 'g1')?.priority).toBe(0.75);
    expect(ledger.controlsOf('run-1', 10)).toMatchObject([
      { seq: 4, action: 'pause', obeyed: { refused: null } },
      { seq: 3, action: 'priority', value: 0.75, obeyed: { refused: null } },
    ]);
    expect(await ledger.verify()).toEqual([]);
  });

  test.each([
    ['a run that is not there', () => new Story('nothing')],
    ['a run that has ended', () => new Story().begin().add('g1').end()],
    ['a goal that the run does not have', () => new Story().begin()],
  ])('are refused for %s', (_, told) => {
    const story = told();
    const { ledger } = temporaryLedger(story.events);
    const [request] = new Story(story.run).tell('control-requested', {
      action: 'retry',
      goal: 'g1',
      value: null,
    }).events;
    expect(() => ledger.append(request ?? expect.fail())).toThrow(LedgerConflict);
  });
});
