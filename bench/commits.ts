import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/core/clock.ts';
import { openLedger } from '../src/store/open.ts';
import { connect } from '../src/store/sqlite/database.ts';
import { SqliteJournal } from '../src/store/sqlite/journal.ts';

/**
 * Measures the cost of waiting for the disk at each commit: rewrites the events of a ledger, one per commit and many,
 * with each synchronous setting of SQLite. The difference between wall-clock and CPU time is waiting. Usage: node
 * bench/commits.ts --ledger FILE
 */
const { values } = parseArgs({ options: { ledger: { type: 'string', default: '.orch/ledger.db' } } });

const source = await openLedger(values.ledger, { clock: systemClock, readOnly: true });
const events = await source.journal.eventsSince(0, 2000);
await source.close();

console.log('synchronous  events/commit  commits  ms/commit  CPU ms/commit  events/s');
for (const size of [1, 4, 16, 64])
  for (const synchronous of ['NORMAL', 'FULL'] as const) {
    const { seconds, cpuSeconds, commits } = await written(synchronous, size);
    const cells = [
      synchronous.padEnd(11),
      String(size).padStart(13),
      String(commits).padStart(7),
      ((seconds / commits) * 1000).toFixed(2).padStart(9),
      ((cpuSeconds / commits) * 1000).toFixed(2).padStart(13),
      Math.round(events.length / seconds)
        .toString()
        .padStart(8),
    ];
    console.log(cells.join('  '));
  }

async function written(
  synchronous: 'NORMAL' | 'FULL',
  size: number,
): Promise<{ seconds: number; cpuSeconds: number; commits: number }> {
  // use the ledger's folder: a temporary folder may be in memory, where nothing is synced
  const folder = mkdtempSync(path.join(path.dirname(path.resolve(values.ledger)), '.bench-commits-'));
  try {
    const file = path.join(folder, 'copy.db');
    await (await openLedger(file, { clock: systemClock })).close();
    const database = connect(file, false);
    database.execute(`PRAGMA synchronous = ${synchronous}`);
    const journal = new SqliteJournal(database, systemClock);
    const before = { clock: performance.now(), cpu: process.cpuUsage() };
    let commits = 0;
    for (let at = 0; at < events.length; at += size, commits++)
      await journal.append(events.slice(at, at + size));
    const { user, system } = process.cpuUsage(before.cpu);
    const seconds = (performance.now() - before.clock) / 1000;
    database.close();
    return { seconds, cpuSeconds: (user + system) / 1e6, commits };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
