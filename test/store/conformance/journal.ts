import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/sha256.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { LedgerConflict } from '../../../src/store/ledger/ledger.ts';
import { start, Story } from '../ledger/story.ts';
import { wholeRun, type OpenLedger } from './open.ts';

function attemptOn(goal: string): readonly RunEvent[] {
  return new Story().add(goal).finishAttempt('a1', goal).events;
}

export function journalKeeps(open: OpenLedger): void {
  describe('the journal', () => {
    test('every event is returned unchanged, numbered from 1', async () => {
      const { events } = wholeRun();
      const { ledger } = await open(events);
      expect(await ledger.journal.eventsSince(0, 1000)).toEqual(
        events.map((event, index) => ({ ...event, seq: index + 1 })),
      );
      expect(await ledger.journal.eventsSince(16, 1)).toMatchObject([{ seq: 17, type: 'attempt-started' }]);
    });

    test('a batch is stored completely with consecutive numbers, or not at all', async () => {
      const { ledger } = await open();
      const { events } = wholeRun();
      expect(await ledger.journal.append(events.slice(0, 3))).toBe(3);
      expect(await ledger.journal.append(events.slice(3))).toBe(events.length);
      expect(await ledger.journal.append([])).toBe(events.length);
      const refused = [...new Story('run-2').begin().events, ...new Story('run-3').add('g1').events];
      await expect(ledger.journal.append(refused)).rejects.toThrow(LedgerConflict);
      expect(await ledger.journal.lastSeq()).toBe(events.length);
      expect(await ledger.views.run('run-2')).toBeUndefined();
    });

    test('returns the events of one run, without its samples', async () => {
      const story = new Story('run-1').begin().add('g1').sample().closeGoal('g1');
      const { ledger } = await open([...story.events, ...new Story('run-2').begin().events]);
      const told = await ledger.journal.eventsOf('run-1');
      expect(told.map(({ type }) => type)).toEqual(['run-started', 'goal-added', 'goal-closed']);
      expect(await ledger.journal.eventsOf('run-9')).toEqual([]);
    });

    test('a heartbeat replaces the previous one until the run ends', async () => {
      const story = new Story().begin().add('g1');
      const { ledger, clock } = await open(story.events);
      const owner = { place: 'here', pid: 7, started: '123' };
      expect(await ledger.views.heard('run-1')).toBeUndefined();
      await ledger.journal.beat('run-1', owner);
      clock.at += 5000;
      await ledger.journal.beat('run-1', owner);
      expect(await ledger.views.heard('run-1')).toBe(start + 5000);
      expect(await ledger.journal.lastSeq()).toBe(2);
      expect(await ledger.experience.unfinishedRuns()).toMatchObject([
        { owner: { ...owner, heard: start + 5000 } },
      ]);
      await ledger.journal.append(new Story().end('drained').events);
      expect(await ledger.views.heard('run-1')).toBeUndefined();
      expect(await ledger.experience.unfinishedRuns()).toMatchObject([{ owner: null }]);
    });
  });

  describe('a refused event leaves no trace', () => {
    test.each([
      ['a goal twice', new Story().begin().add('g1').add('g1')],
      ['a goal of no run', new Story().add('g1')],
      ['a run twice', new Story().begin().begin()],
      ['an attempt on no goal', new Story().begin().finishAttempt('a1', 'g1')],
      ['an attempt that starts on no goal', new Story().begin().startAttempt('a1', 'g1')],
      [
        'an attempt that ends twice',
        new Story().begin().add('g').finishAttempt('a', 'g').finishAttempt('a', 'g'),
      ],
      [
        'an attempt that starts twice',
        new Story().begin().add('g').startAttempt('a', 'g').startAttempt('a', 'g'),
      ],
      ['a verdict on no goal', new Story().begin().judge(null, 'g1')],
      ['a slate for no goal', new Story().begin().slate('g1')],
      ['the end of a goal that is not there', new Story().begin().closeGoal('g1')],
      ['the end of a run that has ended', new Story().begin().end().end()],
      ['a claim of a completed ticket', new Story().openTicket('t').completeTicket('t').claimTicket('t')],
      ['a claim of no ticket', new Story().claimTicket('t')],
      [
        'a goal that was closed by the run that this one goes on with',
        new Story('run-2').follow(new Story().begin().add('g').closeGoal('g')).begin('run-1').add('g'),
      ],
      [
        'the end of a goal whose run another one goes on with',
        new Story().begin().add('g').follow(new Story('run-2').begin('run-1')).closeGoal('g'),
      ],
    ])('%s', async (_, { events }) => {
      const last = events.at(-1);
      const { ledger } = await open(events.slice(0, -1));
      await expect(ledger.journal.append([last as never])).rejects.toThrow(LedgerConflict);
      expect(await ledger.journal.eventsSince(0, 10)).toHaveLength(events.length - 1);
      expect(await ledger.verify()).toEqual([]);
      const batch = [...new Story('other').begin().events, last as never];
      await expect(ledger.journal.append(batch)).rejects.toThrow(LedgerConflict);
      expect(await ledger.journal.eventsSince(0, 10)).toHaveLength(events.length - 1);
    });
    test('a name too long for an index is refused; the longest possible one is stored', async () => {
      const { ledger } = await open(new Story().begin().events);
      // digits that do not compress: PostgreSQL squeezes entries of an index before it measures them
      const name = Array.from({ length: 400 }, (_, index) => sha256(String(index))).join('');
      await expect(ledger.journal.append(attemptOn(name.slice(0, 20_000)))).rejects.toThrow(
        /has 20000 bytes .* at most 1000/,
      );
      await expect(ledger.journal.append(attemptOn('é'.repeat(501)))).rejects.toThrow(/has 1002 bytes/);
      expect(await ledger.journal.lastSeq()).toBe(1);
      expect(await ledger.journal.append(attemptOn(name.slice(0, 990)))).toBe(3);
      expect(await ledger.verify()).toEqual([]);
    });

    test('a run that would continue a just closed one, in the same batch', async () => {
      const { ledger } = await open(new Story().begin().add('g1').add('g2').closeGoal('g1').events);
      const stale = new Story('run-2').begin('run-1').add('g2').add('g1');
      await expect(ledger.journal.append(stale.events)).rejects.toThrow(LedgerConflict);
      expect(await ledger.journal.lastSeq()).toBe(4);
      expect(await ledger.journal.append(new Story('run-2').begin('run-1').add('g2').events)).toBe(6);
    });

    test.each([
      ['a run that is not there', () => new Story('nothing')],
      ['a run that has ended', () => new Story().begin().add('g1').end()],
      ['a goal that the run does not have', () => new Story().begin()],
    ])('are refused for %s', async (_, told) => {
      const story = told();
      const { ledger } = await open(story.events);
      const [request] = new Story(story.run).tell('control-requested', {
        action: 'retry',
        goal: 'g1',
        value: null,
      }).events;
      await expect(ledger.journal.append([request ?? expect.fail()])).rejects.toThrow(LedgerConflict);
    });
  });
}
