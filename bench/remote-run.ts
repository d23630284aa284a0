import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { systemClock } from '../src/core/clock.ts';
import { sharedCpuSeconds } from '../src/io/cpu-share.ts';
import { processTreeUsage } from '../src/io/process-usage.ts';
import type { RunEvent } from '../src/shared/events.ts';
import { openLedger } from '../src/store/open.ts';
import { PostgresServer } from '../test/helpers/postgres.ts';

const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const bank = fileURLToPath(new URL('../data/bank.jsonl', import.meta.url));

/** A run with workers, without the first fifth of its goals, to exclude Lean's start. CPU in seconds. */
export interface RemoteRun {
  readonly workers: number;
  readonly goals: number;
  readonly attempts: number;
  readonly seconds: number;
  readonly worker_cpu: number;
  /** Including its judge. */
  readonly coordinator_cpu: number;
  readonly server_cpu: number;
  readonly statements: number;
  /** CPU use of other processes, as a fraction of the machine. */
  readonly others: number;
  /** The cost of each goal on its worker, including the first fifth. */
  readonly goal_cpu: readonly number[];
}

/** Goals sampled from the whole bank, easy and hard. */
export function bankRows(count: number): string {
  const rows = readFileSync(bank, 'utf8').trim().split('\n');
  const step = Math.floor(rows.length / count);
  return `${rows
    .filter((_, index) => index % step === 0)
    .slice(0, count)
    .join('\n')}\n`;
}

/**
 * Runs the coordinator, this many worker processes with one Lean each, and a server that writes to the disk, all on
 * this machine.
 */
export async function remoteRun(workers: number, goals: number): Promise<RemoteRun> {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'orch-remote-'));
  const server = new PostgresServer(['max_connections=100']);
  const children: ChildProcess[] = [];
  try {
    await server.start();
    const url = await server.database();
    await using ledger = await openLedger(url, { clock: systemClock });
    writeFileSync(path.join(cwd, 'goals.jsonl'), bankRows(goals));
    for (let number = 1; number <= workers; number++) {
      const worker = start(cwd, url, ['worker', '--name', `w${number}`, '--num-procs', '1'], 'stderr');
      children.push(worker);
      await next(
        linesOf(worker.stderr, (line) => line.endsWith(': ready')),
        1,
      );
    }
    const run = ['run', 'goals.jsonl', '--workers', 'remote', '--reporter', 'json'];
    const coordinator = start(cwd, url, run, 'stdout');
    children.push(coordinator);
    const read = async (): Promise<Reading> => ({
      at: systemClock.now(),
      date: systemClock.date().getTime(),
      workers: children.slice(0, workers).reduce((sum, worker) => sum + cpuOf(worker.pid), 0),
      coordinator: cpuOf(coordinator.pid),
      server: cpuOf(server.pids[0]),
      all: sharedCpuSeconds(),
      statements: await statementsOf(url),
    });
    const goalLines = linesOf(coordinator.stdout, (line) => line.includes('"type":"goal"'));
    const warmUp = Math.floor(goals / 5);
    await next(goalLines, warmUp);
    const from = await read();
    await next(goalLines, goals - warmUp);
    const to = await read();
    return runBetween(from, to, {
      workers,
      goals: goals - warmUp,
      ...countsOf(await ledger.journal.eventsSince(0, 1_000_000), from.date),
    });
  } finally {
    const ended = children.map(async (child) => child.exitCode === null && (await once(child, 'exit')));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
    await server.remove();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Counters at one point in time. */
interface Reading {
  readonly at: number;
  readonly date: number;
  readonly workers: number;
  readonly coordinator: number;
  readonly server: number;
  readonly all: number;
  readonly statements: number;
}

function runBetween(
  from: Reading,
  to: Reading,
  told: Pick<RemoteRun, 'workers' | 'goals' | 'attempts' | 'goal_cpu'>,
): RemoteRun {
  const seconds = (to.at - from.at) / 1000;
  const worker_cpu = to.workers - from.workers;
  const coordinator_cpu = to.coordinator - from.coordinator;
  const server_cpu = to.server - from.server;
  const ours = worker_cpu + coordinator_cpu + server_cpu;
  const others = Math.max(0, to.all - from.all - ours) / (seconds * os.availableParallelism());
  const statements = to.statements - from.statements;
  return { ...told, seconds, worker_cpu, coordinator_cpu, server_cpu, statements, others };
}

/** Counts from the ledger since a point in time. The coordinator's own attempts have no cost: they are workers' answers. */
function countsOf(events: readonly RunEvent[], since: number): Pick<RemoteRun, 'attempts' | 'goal_cpu'> {
  const goal_cpu: number[] = [];
  let attempts = 0;
  const coordinators = new Set(
    events.flatMap((event) => (event.type === 'run-started' && event.command === 'run' ? [event.run] : [])),
  );
  for (const event of events) {
    const isCoordinators = coordinators.has(event.run);
    if (event.type === 'goal-closed' && !isCoordinators) goal_cpu.push(event.cpu_seconds);
    if (event.type === 'attempt-finished' && !isCoordinators && event.at >= since) attempts++;
  }
  return { attempts, goal_cpu };
}

function start(cwd: string, url: string, args: readonly string[], heard: 'stdout' | 'stderr'): ChildProcess {
  return spawn(process.execPath, [cli, ...args, '--ledger', url, '--cpu-target', '1'], {
    cwd,
    stdio: ['ignore', heard === 'stdout' ? 'pipe' : 'ignore', heard === 'stderr' ? 'pipe' : 'ignore'],
    env: { ...process.env, ORCH_LEAN: 'embedded' },
  });
}

/** The output lines that match. */
async function* linesOf(input: Readable | null, isIt: (line: string) => boolean): AsyncGenerator<string> {
  if (!input) throw new Error('its stdout is not connected');
  for await (const line of createInterface({ input })) if (isIt(line)) yield line;
}

/** Waits for this many lines; fails if the process ends first. */
async function next(lines: AsyncGenerator<string>, count: number): Promise<void> {
  for (let heard = 0; heard < count; heard++)
    if ((await lines.next()).done) throw new Error('a process ended too early');
}

function cpuOf(pid: number | undefined): number {
  return pid === undefined ? 0 : (processTreeUsage(pid)?.cpuSeconds ?? 0);
}

async function statementsOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    'SELECT (xact_commit + xact_rollback)::float8 AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  await client.end();
  return rows[0]?.count ?? 0;
}
