import { createHash } from 'node:crypto';
import { UserError } from '../../core/errors.ts';
import type { Journal } from '../../core/journal.ts';
import type { Ledger } from './ledger.ts';
import { sha256 } from '../../core/sha256.ts';

/** Events per batch. */
const batch = 2000;

/**
 * Copies all events of a ledger with their numbers into a new one, which derives its tables from them. Then compares both sides
 * and returns the number of events. The search memory is only a cache and is not copied.
 */
export async function copyLedger(from: Ledger, to: Ledger): Promise<number> {
  if ((await to.journal.lastSeq()) > 0)
    throw new UserError(
      'ledger-not-new',
      'the target ledger already contains events',
      'Name a ledger that does not exist yet.',
    );
  let copied = 0;
  let last = 0;
  for (;;) {
    const events = await from.journal.eventsSince(last, batch);
    if (events.length === 0) break;
    await to.takeOver(events);
    copied += events.length;
    last = events.at(-1)?.seq ?? last;
  }
  await refuseDifferent(from, to);
  return copied;
}

async function refuseDifferent(from: Ledger, to: Ledger): Promise<void> {
  const [one, two] = [await from.digests(), await to.digests()];
  const different = Object.keys({ ...one, ...two }).filter((table) => one[table] !== two[table]);
  if (different.length === 0) return;
  throw new UserError(
    'copy-differs',
    `the copy differs in ${different.join(', ')}`,
    'Either the first ledger changed meanwhile, or its statistics are wrong: orch ledger verify shows which. Copy it again into a new one.',
  );
}

/** Compares tables by content, ignoring the order of rows and columns. */
export async function digestsOf(
  journal: Pick<Journal, 'eventsSince'>,
  tables: readonly string[],
  rowsOf: (table: string) => Promise<readonly object[]>,
): Promise<Readonly<Record<string, string>>> {
  const digests: Record<string, string> = { events: await digestOfEvents(journal) };
  for (const table of tables) {
    const rows = (await rowsOf(table)).map((row) =>
      JSON.stringify(Object.entries(row).sort(([one], [two]) => (one < two ? -1 : 1))),
    );
    digests[table] = sha256(rows.sort().join('\n'));
  }
  return digests;
}

async function digestOfEvents(journal: Pick<Journal, 'eventsSince'>): Promise<string> {
  const hash = createHash('sha256');
  for (let last = 0; ;) {
    const events = await journal.eventsSince(last, batch);
    if (events.length === 0) return hash.digest('hex');
    for (const event of events) hash.update(`${JSON.stringify(event)}\n`);
    last = events.at(-1)?.seq ?? last;
  }
}
