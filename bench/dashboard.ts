import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/core/clock.ts';
import { openLedger } from '../src/store/open.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * What people who watch cost a bank run: the same run with nobody and with 50 clients on /api/events, in turn, each on an
 * empty ledger of its own with a dashboard beside it. Usage: npm run bench:dashboard [-- ROUNDS SECONDS CLIENTS]
 *
 * Throughput is attempts per CPU-second of the run's own process tree and of the dashboard together: what the dashboard burns
 * is CPU that the run could have had. Attempts per second of wall clock are listed too.
 */
const [rounds = 3, seconds = 60, clients = 50] = process.argv.slice(2).map(Number);
const root = fileURLToPath(new URL('../', import.meta.url));
const cli = path.join(root, 'src', 'cli.ts');

interface Sample {
  readonly attempts: number;
  readonly runCpu: number;
  readonly dashboardCpu: number;
  readonly wallSeconds: number;
  readonly messages: number;
}

const alone: Sample[] = [];
const watched: Sample[] = [];
for (let round = 0; round < rounds; round++) {
  // who goes first changes, so that a machine that grows warmer favours neither
  for (const count of round % 2 === 0 ? [0, clients] : [clients, 0]) {
    const sample = await measure(count);
    (count === 0 ? alone : watched).push(sample);
    process.stderr.write(`round ${round + 1}, ${count} clients: ${JSON.stringify(sample)}\n`);
  }
}
process.stdout.write(
  `${rounds} × ${seconds} s of the bank, ${os.availableParallelism()} cores ${os.cpus()[0]?.model ?? ''} (${process.arch}), load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n\n${renderTable(figures())}\n`,
);

function figures(): Figure[] {
  const perCpu = (samples: readonly Sample[]): number =>
    total(samples, 'attempts') / (total(samples, 'runCpu') + total(samples, 'dashboardCpu'));
  const perWall = (samples: readonly Sample[]): number =>
    total(samples, 'attempts') / total(samples, 'wallSeconds');
  return [
    { name: 'attempts per CPU-second, nobody watching', value: perCpu(alone), unit: '1/s' },
    { name: `attempts per CPU-second, ${clients} clients`, value: perCpu(watched), unit: '1/s' },
    { name: 'throughput with clients (CPU)', value: perCpu(watched) / perCpu(alone), unit: '×', floor: 0.95 },
    { name: 'throughput with clients (wall clock)', value: perWall(watched) / perWall(alone), unit: '×' },
    {
      name: 'dashboard CPU with clients, of all',
      value: total(watched, 'dashboardCpu') / (total(watched, 'runCpu') + total(watched, 'dashboardCpu')),
      unit: '',
    },
    {
      name: 'messages a client and second',
      value: total(watched, 'messages') / clients / total(watched, 'wallSeconds'),
      unit: '1/s',
    },
  ];
}

function total(samples: readonly Sample[], key: keyof Sample): number {
  return samples.reduce((sum, sample) => sum + sample[key], 0);
}

async function measure(count: number): Promise<Sample> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-'));
  const ledger = path.join(folder, 'ledger.db');
  const dashboard = start(['dashboard', '--port', '0', '--ledger', ledger], 'pipe', folder);
  try {
    const origin = new URL(await firstLine(dashboard)).origin;
    const crowd = gather(origin, count);
    const run = start(
      ['bank', '--timeout', String(seconds), '--ledger', ledger, '--reporter', 'json'],
      'ignore',
      folder,
    );
    const before = await cpuOf(origin);
    await exited(run);
    const dashboardCpu = (await cpuOf(origin)) - before;
    const messages = await crowd.leave();
    return { ...(await resultsOf(ledger)), dashboardCpu, messages };
  } finally {
    dashboard.kill('SIGTERM');
    await exited(dashboard);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Clients that read whatever comes, as pages do. When they leave they say how many messages came. */
function gather(origin: string, count: number): { leave: () => Promise<number> } {
  const abort = new AbortController();
  const reading = Array.from(
    { length: count },
    async () => await listen(`${origin}/api/events`, abort.signal),
  );
  return {
    leave: async () => {
      abort.abort();
      return (await Promise.all(reading)).reduce((sum, messages) => sum + messages, 0);
    },
  };
}

async function listen(address: string, signal: AbortSignal): Promise<number> {
  let messages = 0;
  try {
    const { body } = await fetch(address, { signal });
    for await (const chunk of body ?? [])
      messages += Buffer.from(chunk).toString('latin1').split('\n\n').length - 1;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return messages;
}

async function resultsOf(file: string): Promise<Omit<Sample, 'dashboardCpu' | 'messages'>> {
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  const [run] = await ledger.views.runs(1);
  if (!run) throw new Error('the bank did not run');
  const arms = await ledger.views.armsOf(run.run);
  const attempts = arms.reduce((sum, arm) => sum + arm.attempts, 0);
  return { attempts, runCpu: run.cpu_seconds ?? 0, wallSeconds: run.wall_seconds ?? 0 };
}

function start(args: readonly string[], stdout: 'pipe' | 'ignore', cwd: string): ChildProcess {
  return spawn(process.execPath, [cli, ...args], { cwd, stdio: ['ignore', stdout, 'ignore'] });
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const chunk of child.stdout ?? []) return String(chunk).split('\n')[0] ?? '';
  throw new Error('the dashboard did not start');
}

/** CPU-seconds of the dashboard's process, as its own metrics tell them. */
async function cpuOf(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (.+)$/m.exec(text)?.[1]);
}

async function exited(child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) await sleep(50);
}
