import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import type { Ledger } from '../../../src/store/ledger/ledger.ts';
import { openLedger } from '../../../src/store/open.ts';
import type { SearchMemoryBounds } from '../../../src/store/ledger/search-memory.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { start } from './story.ts';

/** A clock that the test moves. */
export class HandClock implements Clock {
  at = start;
  now = (): number => this.at - start;
  date = (): Date => new Date(this.at);
}

export interface Temporary {
  readonly file: string;
  readonly clock: HandClock;
  readonly ledger: Ledger;
}

/** A real ledger in a folder that is removed after the test. */
export async function temporaryLedger(
  events: readonly RunEvent[] = [],
  searchMemory?: SearchMemoryBounds,
): Promise<Temporary> {
  const file = path.join(temporaryFolder(), 'deep', 'ledger.db');
  const clock = new HandClock();
  const ledger = await openLedger(file, { clock, ...(searchMemory && { searchMemory }) });
  onTestFinished(async () => await ledger.close());
  if (events.length > 0) await ledger.journal.append(events);
  return { file, clock, ledger };
}
