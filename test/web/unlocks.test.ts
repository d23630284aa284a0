import { expect, test } from 'vitest';
import type { Marketplace } from '../../src/shared/api.ts';
import { unlockedBy } from '../../web/data/unlocks.ts';

test('a lemma unlocks the goals that wait for it, also through other lemmas', () => {
  const tickets = [
    { ticket_id: 'a', dependencies: [], merged_into: null },
    { ticket_id: 'b', dependencies: ['a'], merged_into: null },
    { ticket_id: 'c', dependencies: ['b', 'c'], merged_into: 'a' },
    { ticket_id: 'd', dependencies: [], merged_into: null },
  ];
  const requests = [
    { ticket_id: 'a', requester: 'first' },
    { ticket_id: 'd', requester: 'a' },
    { ticket_id: 'b', requester: 'second' },
    { ticket_id: 'c', requester: 'third' },
  ];
  const market = { tickets, requests } as unknown as Marketplace;
  expect(unlockedBy('a', market)).toEqual(['first', 'second', 'third']);
  expect(unlockedBy('c', market)).toEqual(['third']);
  expect(unlockedBy('d', market)).toEqual(['first', 'second', 'third']);
});
