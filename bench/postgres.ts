import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/app/engine.ts';
import { openLean } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { systemClock } from '../src/core/clock.ts';
import { processTreeUsage } from '../src/io/process-usage.ts';
import { readGoals } from '../src/lean/goals/read.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { PostgresServer } from '../test/helpers/postgres.ts';
import { keep } from './keep.ts';
import { bankRows, remoteRun } from './remote-run.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * Compares PostgreSQL with SQLite, and measures the speed-up of a second worker process.
 * - A run with one Lean works on goals of the bank, on SQLite. Its requests to the ledger are recorded and replayed several times on
 *   an empty ledger of each kind. The overhead is the difference in CPU (for PostgreSQL including the server), as a fraction of
 *   the CPU of the run.
 * - The same goals go to one worker process and to two, on this machine, with coordinator, judge and server: attempts per second.
 * `--goals 24`, `--rounds 5`, `--out FILE`, `--only ledger|workers`.
 */
const { values: options } = parseArgs({
  options: {
    goals: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const goals = Number(options.goals);
const figures: Figure[] = [];
if (options.only !== 'workers') figures.push(...(await ledgerFigures()));
if (options.only !== 'ledger') figures.push(...(await workerFigures()));
console.log(renderTable(figures));
keep(options.out, { figures });

interface Asked {
  readonly part: 'journal' | 'experience' | 'tickets' | 'views';
  readonly method: string;
  readonly values: readonly unknown[];
}

async function ledgerFigures(): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'orch-bench-postgres-'));
  const server = new PostgresServer([]); // as Debian sets it: it writes to the disk
  try {
    await server.start();
    const { asked, cpuSeconds } = await record(folder);
    const sqlite: number[] = [];
    const postgres: number[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      sqlite.push(await replay(asked, path.join(folder, `again-${round}.db`)));
      postgres.push(await replay(asked, await server.database()));
    }
    const [low, high] = [median(sqlite), median(postgres)];
    return [
      { name: `run of ${goals} goals with one Lean, on SQLite`, value: cpuSeconds, unit: 'CPU-s' },
      { name: 'what it asked of its ledger', value: asked.length, unit: 'questions' },
      { name: 'the same, SQLite', value: low, unit: 'CPU-s' },
      { name: 'the same, PostgreSQL with its server', value: high, unit: 'CPU-s' },
      {
        name: 'overhead of PostgreSQL',
        value: (100 * (high - low)) / cpuSeconds,
        unit: '% of the run',
        floor: 5,
        smallerIsBetter: true,
      },
    ];
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A real run, with all its requests to the ledger. */
async function record(folder: string): Promise<{ asked: Asked[]; cpuSeconds: number }> {
  const file = path.join(folder, 'goals.jsonl');
  writeFileSync(file, bankRows(goals));
  const settings = settingsFrom({
    lean: 'embedded',
    cpu_target: '1',
    num_procs: '1',
    ledger: path.join(folder, 'ledger.db'),
  });
  const asked: Asked[] = [];
  await using ledger = await openLedger(settings.ledger, { clock: systemClock });
  await using lean = await openLean(settings, { image: 'std' });
  const before = treeSeconds();
  const choice = { command: 'bench', sources: [file], seed: 1, timeout: null };
  const engine = await openEngine(settings, lean, noted(ledger, asked), choice, () => undefined);
  const read = await readGoals(file, async (_, talk) => await lean.pool.use(talk));
  for (const goal of read.goals) engine.add(goal);
  await engine.run();
  return { asked, cpuSeconds: treeSeconds() - before };
}

/** The ledger, with its requests recorded. */
function noted(ledger: Ledger, asked: Asked[]): Ledger {
  const listen = <Part extends object>(part: Asked['part'], target: Part): Part =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...values: readonly unknown[]): unknown => {
          asked.push({ part, method: String(name), values });
          return Reflect.apply(value, target, values);
        };
      },
    });
  const { journal, experience, tickets, views } = ledger;
  const parts = {
    journal: listen('journal', journal),
    experience: listen('experience', experience),
    tickets: listen('tickets', tickets),
    views: listen('views', views),
  };
  return Object.assign(Object.create(ledger) as Ledger, parts);
}

/** CPU-seconds of this process and of the server, its child process. */
async function replay(asked: readonly Asked[], place: string): Promise<number> {
  await using ledger = await openLedger(place, { clock: systemClock });
  const before = treeSeconds();
  for (const { part, method, values } of asked) {
    const target: object = ledger[part];
    const ask = Reflect.get(target, method) as (...values: readonly unknown[]) => unknown;
    await Reflect.apply(ask, target, values);
  }
  return treeSeconds() - before;
}

async function workerFigures(): Promise<Figure[]> {
  const [one, two] = [await remoteRun(1, goals), await remoteRun(2, goals)];
  const rates = [one, two].map(({ attempts, seconds }) => attempts / seconds);
  const [first = 0, second = 0] = rates;
  return [
    ...[one, two].flatMap(({ workers, others }, index) => [
      { name: `attempts per second, ${workers} worker processes`, value: rates[index] ?? 0, unit: '/s' },
      { name: 'CPU used by others meanwhile', value: 100 * others, unit: '%' },
    ]),
    { name: 'two ÷ one', value: second / first, unit: '', floor: 1.6 },
  ];
}

function treeSeconds(): number {
  return processTreeUsage(process.pid)?.cpuSeconds ?? 0;
}

function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[values.length >> 1] ?? 0;
}
