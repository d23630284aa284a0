import { UserError, fieldOf } from '../../core/errors.ts';
import type { RunEvent } from '../../shared/events.ts';

/** Event fields that are keys of tables. */
const keys = [
  'run',
  'resumes',
  'goal',
  'goal_hash',
  'fingerprint',
  'attempt',
  'strategy',
  'arm',
  'context',
  'ticket_id',
] as const;

/**
 * Two names of this length fit into a PostgreSQL index entry (2704 bytes). SQLite has no such limit, but applies the same rule.
 */
const longest = 1000;

/** Both databases refuse the same names, before anything is written. */
export function refuseLongNames(events: readonly RunEvent[]): void {
  for (const event of events)
    for (const key of keys) {
      const value = fieldOf(event, key);
      if (typeof value !== 'string' || value.length <= longest / 3 || Buffer.byteLength(value) <= longest)
        continue;
      throw new UserError(
        'name-too-long',
        `the ${key} of a ${event.type} event has ${Buffer.byteLength(value)} bytes (${value.slice(0, 60)}…); the ledger keeps at most ${longest}`,
        'Use a shorter name.',
      );
    }
}
