import { describe, expect, test } from 'vitest';
import { LedgerConflict } from '../../../src/store/ledger/ledger.ts';
import { Story } from '../ledger/story.ts';
import type { OpenLedger } from './open.ts';

export function ticketsStand(open: OpenLedger): void {
  describe('tickets', () => {
    test('a claim lasts until it expires; a completed ticket stays completed', async () => {
      const { ledger, clock } = await open(
        new Story('market').openTicket('low', { priority: 0.1 }).openTicket('high', { priority: 0.9 }).events,
      );
      expect((await ledger.tickets.all()).map(({ ticket_id }) => ticket_id)).toEqual(['high', 'low']);
      const at = clock.at + 10_000;
      for (const event of new Story('market', at).claimTicket('high', 'micro', at + 60_000).events)
        await ledger.journal.append([event]);
      clock.at = at + 30_000;
      expect(await ledger.tickets.all()).toMatchObject([
        { ticket_id: 'low', status: 'open' },
        { ticket_id: 'high', status: 'claimed', claimant: 'micro' },
      ]);
      clock.at = at + 60_001;
      expect(await ledger.tickets.ticket('high')).toMatchObject({
        status: 'open',
        claimant: null,
        expires: null,
      });
      for (const event of new Story('market', clock.at).completeTicket('high').events)
        await ledger.journal.append([event]);
      expect(await ledger.tickets.ticket('high')).toMatchObject({
        status: 'completed',
        completed_proof: 'by omega',
      });
      expect(await ledger.tickets.ticket('nothing')).toBeUndefined();
      expect(await ledger.tickets.counts()).toEqual({
        open: 1,
        claimed: 0,
        completed: 1,
        refuted: 0,
        merged: 0,
      });
    });

    test('of two completions, the first counts', async () => {
      const story = new Story('market').openTicket('lem-1').completeTicket('lem-1', 'first');
      const { ledger } = await open(story.completeTicket('lem-1', 'second').events);
      expect(await ledger.tickets.all()).toMatchObject([
        { ticket_id: 'lem-1', status: 'completed', claimant: 'first' },
      ]);
    });

    test('only one claimant can hold a ticket', async () => {
      const story = new Story('market').openTicket('lem-1').claimTicket('lem-1', 'first');
      const { ledger } = await open(story.events);
      const [, , second] = story.claimTicket('lem-1', 'second').events;
      await expect(ledger.journal.append([second as never])).rejects.toThrow(LedgerConflict);
      expect(await ledger.journal.eventsSince(0, 10)).toHaveLength(2);
    });

    test('a false lemma keeps its counterexample, and cannot be claimed', async () => {
      const refuted = { ticket_id: 'lem-1', goal_hash: 'h1', counterexample: 'n = 1' };
      const story = new Story('market').openTicket('lem-1', { kind: 'definition' });
      const { ledger } = await open(story.tell('ticket-refuted', refuted).events);
      expect(await ledger.tickets.ticket('lem-1')).toMatchObject({
        kind: 'definition',
        status: 'refuted',
        counterexample: 'n = 1',
      });
      const claim = story.claimTicket('lem-1', 'first').events.at(-1);
      await expect(ledger.journal.append([claim as never])).rejects.toThrow(LedgerConflict);
      expect(await ledger.verify()).toEqual([]);
    });

    test('a ticket that follows from another is open again when that one is false', async () => {
      const story = new Story('market').openTicket('special').openTicket('general');
      story.tell('ticket-merged', { ticket_id: 'special', into_ticket: 'general' });
      const { ledger } = await open(story.events);
      expect(await ledger.tickets.ticket('special')).toMatchObject({
        status: 'merged',
        merged_into: 'general',
      });
      const refuted = { ticket_id: 'general', goal_hash: null, counterexample: 'n = 1' };
      const last = story.tell('ticket-refuted', refuted).events.at(-1);
      await ledger.journal.append([last as never]);
      expect(await ledger.tickets.ticket('special')).toMatchObject({ status: 'open', merged_into: null });
    });

    test('its cost is shared by the requesters in proportion to their priorities', async () => {
      const story = new Story()
        .begin()
        .add('g1')
        .add('g2')
        .openTicket('lem-1', { requester: 'g1', priority: 0.6 });
      story.tell('ticket-joined', { ticket_id: 'lem-1', requester: 'g2', priority: 0.2 });
      const { ledger } = await open(
        story.add('lem-1', { requester: 'g1', topic: 'lemma' }).examine('lem-1').finishAttempt('a1', 'lem-1')
          .events,
      );
      const ticket = await ledger.tickets.ticket('lem-1');
      expect(ticket?.cpu_seconds).toBe(0.75);
      expect(await ledger.tickets.requests()).toMatchObject([
        { requester: 'g1', run: 'run-1', cpu_seconds: expect.closeTo(0.5625) as unknown },
        { requester: 'g2', cpu_seconds: expect.closeTo(0.1875) as unknown },
      ]);
    });

    test('the last pin of a name counts', async () => {
      const story = new Story('market').tell('pinned', { name: 'a', is_pinned: true });
      story.tell('pinned', { name: 'b', is_pinned: true }).tell('pinned', { name: 'a', is_pinned: false });
      const { ledger } = await open(story.events);
      expect(await ledger.tickets.pins()).toEqual(['b']);
    });

    test('similar tickets are found by identity and by words', async () => {
      const { ledger } = await open(
        new Story('market')
          .openTicket('lem-1', { goal_hash: 'h1' })
          .openTicket('lem-2', { goal: 'theorem t (xs : List Nat) : xs.reverse.reverse = xs' }).events,
      );
      expect(await ledger.tickets.ofGoal('h1')).toMatchObject([{ ticket_id: 'lem-1' }]);
      expect(await ledger.tickets.like('∀ xs : List α, xs.reverse.length = xs.length', 5)).toMatchObject([
        { ticket_id: 'lem-2' },
      ]);
      expect(await ledger.tickets.like('∀ "', 5)).toEqual([]);
    });
  });
}
