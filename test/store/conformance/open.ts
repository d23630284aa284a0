import type { SearchMemoryBounds } from '../../../src/store/ledger/search-memory.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { Story } from '../ledger/story.ts';
import type { HandClock } from '../ledger/temporary.ts';

/** Opens a new ledger with these events in it, which is removed after the test. */
export type OpenLedger = (
  events?: readonly RunEvent[],
  searchMemory?: SearchMemoryBounds,
) => Promise<{ readonly ledger: Ledger; readonly clock: HandClock }>;

/** A whole run: one goal solved by its second attempt, one parked, one attempt lost. */
export const wholeRun = (): Story =>
  new Story()
    .begin()
    .add('g1')
    .add('g2')
    .examine('g1')
    .examine('g2')
    .slate('g1', 'micro/close', 'micro/cases')
    .startAttempt('a1', 'g1')
    .finishAttempt('a1', 'g1')
    .startAttempt('a2', 'g1', 'micro/cases')
    .judge('a2', 'g1', { arm: 'micro/cases', verdict: 'rejected' })
    .judge('a2', 'g1', { arm: 'micro/cases' })
    .finishAttempt('a2', 'g1', {
      arm: 'micro/cases',
      outcome: 'solved',
      error: null,
      reward: 0.8,
      cache_hits: 2,
    })
    .closeGoal('g1')
    .sample()
    .openTicket('lem-1', { requester: 'g2' })
    .park('g2', 'lem-1')
    .startAttempt('a3', 'g2')
    .tell('note', { level: 'info', text: 'something' });
