import type { GoalParked } from '../../src/shared/events.ts';
import type { GoalStatus } from '../../src/shared/ledger.ts';

const waits: Readonly<Record<GoalParked['reason'], string>> = {
  'next-round': 'waits for its next round',
  slots: 'waits for a free slot',
  ticket: 'waits for a helper lemma',
  given: 'proved, given a theorem that is still open',
  broken: 'waiting: a tool failed',
  paused: 'waiting: the run is paused',
};

/** Text that explains a goal's status. */
export function reasonOf({ status, reason }: { status: GoalStatus; reason: string | null }): string {
  if (reason === null || reason === status) return '';
  return status === 'parked' && Object.hasOwn(waits, reason) ? waits[reason as GoalParked['reason']] : reason;
}
