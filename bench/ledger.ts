import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../src/core/clock.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { attemptsOfAGoal, history } from './ledger-history.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * A ledger of a million attempts: how fast it grows, and how long each question takes that `stats` and the engine ask.
 * Usage: npm run bench:ledger [-- ATTEMPTS]
 */
const attempts = Number(process.argv[2] ?? 1_000_000);
const goalsOfARun = 1000;
const singles = 20_000;
const rounds = 21;
const mustMs = 50;
/** Spread over 30 days. */
const end = Date.UTC(2026, 5, 1);
const begin = end - 30 * 24 * 3_600_000;

const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-bench-ledger-'));
try {
  const file = path.join(folder, 'ledger.db');
  const figures = [...(await measureWriting(file)), ...(await measureReading(file))];
  process.stdout.write(
    `${attempts} attempts; ${os.cpus()[0]?.model ?? ''} (${process.arch}), load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n\n${renderTable(figures)}\n`,
  );
  process.exitCode = figures.some(({ value, floor, unit }) => unit === 'ms' && value > (floor ?? Infinity))
    ? 1
    : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureWriting(file: string): Promise<Figure[]> {
  await using ledger = await openLedger(file, { clock: systemClock });
  const alone = await timed(async () => {
    for (const event of history(0, singles / attemptsOfAGoal, begin)) await ledger.journal.append([event]);
  });
  const runs = Math.ceil((attempts - singles) / attemptsOfAGoal / goalsOfARun);
  const together = await timed(async () => {
    for (let run = 1; run <= runs; run++) {
      const from = begin + Math.floor(((end - begin) * run) / (runs + 1));
      await ledger.journal.append([...history(run, goalsOfARun, from)]);
    }
  });
  const rest = runs * goalsOfARun * attemptsOfAGoal;
  return [
    { name: 'attempts appended, a transaction an event', value: singles / (alone / 1000), unit: '/s' },
    { name: 'attempts appended, a transaction a run', value: rest / (together / 1000), unit: '/s' },
  ];
}

async function measureReading(file: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  {
    await using ledger = await openLedger(file, {
      clock: { now: () => 0, date: () => new Date(end) },
      readOnly: true,
    });
    for (const [name, ask] of questions(ledger)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await timed(ask));
      times.sort((a, b) => a - b);
      figures.push({
        name,
        value: times[Math.floor(rounds / 2)] ?? 0,
        unit: 'ms',
        ...(name.startsWith('stats') && { floor: mustMs, smallerIsBetter: true }),
      });
    }
  }
  figures.push({ name: 'size of the file', value: statSync(file).size / 1e6, unit: 'MB' });
  figures.push({
    name: 'seed: success rates by strategy',
    value: (await timed(async () => seedQuery(file))) / 1000,
    unit: 's',
  });
  await using writer = await openLedger(file, { clock: systemClock });
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const beside = new Worker(new URL('waiting-writer.ts', import.meta.url), { workerData: { file, shared } });
  await once(beside, 'online');
  const rebuilding = await timed(async () => await writer.rebuild());
  Atomics.store(shared, 0, 1);
  await once(beside, 'exit');
  figures.push({ name: 'events', value: await writer.journal.lastSeq(), unit: '' });
  figures.push({ name: 'rebuild', value: rebuilding / 1000, unit: 's' });
  figures.push({ name: 'rebuild: longest wait of a writer', value: (shared[1] ?? 0) / 1e6, unit: 's' });
  const from = performance.now();
  const faults = await writer.verify();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  figures.push({ name: 'verify', value: (performance.now() - from) / 1000, unit: 's' });
  return figures;
}

/** All that `stats` asks, then what the engine and the dashboard ask most. */
function questions({ views, tickets, experience }: Ledger): [name: string, ask: () => Promise<unknown>][] {
  return [
    ['stats: arms, of all time', async () => await views.arms(0)],
    ['stats: arms, last 24 h', async () => await views.arms(end - 24 * 3_600_000)],
    ['stats: totals', async () => await views.totals()],
    ['stats: tickets', async () => await tickets.counts()],
    ['stats: last runs', async () => await views.runs(5)],
    ['strategies by hour, last 24 h', async () => await views.strategiesByHour(end - 24 * 3_600_000)],
    ['engine: arm records', async () => await experience.armRecords()],
    ['engine: tried on a goal', async () => await experience.tried('hash-1-5', 'print')],
    ['engine: proved before', async () => await experience.provedBefore('hash-1-5')],
    ['engine: unfinished runs', async () => await experience.unfinishedRuns()],
    ['engine: 2000 lessons', async () => await experience.lessons(2000)],
    ['page: goals of a run', async () => await views.goalsOf('run-1')],
    ['page: one goal', async () => await views.goal('run-1', 'g5')],
    ['page: last sample', async () => await views.lastSampleOf('run-1')],
  ];
}

function seedQuery(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  database
    .prepare('SELECT strategy, COUNT(*), SUM(success), AVG(time_seconds) FROM attempts GROUP BY strategy')
    .all();
  database.close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
