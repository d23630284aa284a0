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
      expect(await ledger.tickets.counts()).toEqual({ open: 1, claimed: 0, completed: 1 });
    });

    test('the first of two completions counts', async () => {
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
