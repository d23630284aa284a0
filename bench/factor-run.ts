import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/core/clock.ts';
import { processTreeUsage } from '../src/io/process-usage.ts';
import { openLedger } from '../src/store/open.ts';
import { PostgresServer } from '../test/helpers/postgres.ts';
import { mean } from './scale-times.ts';

const program = fileURLToPath(new URL('../test/fixtures/factor-process.ts', import.meta.url));

/** Goals that take time but no CPU, through real processes, engines and queue, so that only the overhead of dispatch is left. */
export interface FactorRun {
  /** Worker processes with four parallel goals each. */
  readonly processes: number;
  readonly goals: number;
  /** From the first to the last closed goal. */
  readonly seconds: number;
  /** CPU-seconds in that time, of all workers, the run and the server. */
  readonly worker_cpu: number;
  readonly coordinator_cpu: number;
  readonly server_cpu: number;
  /** Mean number of runnable threads on this machine, including ours. */
  readonly runnable: number;
}

export async function factorRun(processes: number, goals: number): Promise<FactorRun> {
  const server = new PostgresServer(['max_connections=100']);
  const children: ChildProcess[] = [];
  try {
    await server.start();
    const url = await server.database();
    await (await openLedger(url, { clock: systemClock })).close();
    const begin = (role: string, name: string): ChildProcess =>
      spawn(process.execPath, [program, role, url, name, String(goals)], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    for (let number = 1; number <= processes; number++) children.push(begin('work', `w${number}`));
    const coordinator = begin('coordinate', 'run');
    children.push(coordinator);
    const read = () => ({
      at: systemClock.now(),
      workers: children.slice(0, processes).reduce((sum, worker) => sum + cpuOf(worker.pid), 0),
      coordinator: cpuOf(coordinator.pid),
      server: cpuOf(server.pids[0]),
    });
    const runnable: number[] = [];
    const sampling = setInterval(() => runnable.push(runnableThreads()), 200);
    let closed = 0;
    let from = read();
    if (!coordinator.stdout) throw new Error('the stdout of the coordinator is not connected');
    for await (const _ of createInterface({ input: coordinator.stdout })) {
      if (++closed === 1) from = read();
      if (closed === goals) break;
    }
    const to = read();
    clearInterval(sampling);
    return {
      processes,
      goals: goals - 1,
      seconds: (to.at - from.at) / 1000,
      worker_cpu: to.workers - from.workers,
      coordinator_cpu: to.coordinator - from.coordinator,
      server_cpu: to.server - from.server,
      runnable: mean(runnable),
    };
  } finally {
    const ended = children.map(async (child) => child.exitCode === null && (await once(child, 'exit')));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
    await server.remove();
  }
}

function runnableThreads(): number {
  return Number(/^procs_running (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
}

function cpuOf(pid: number | undefined): number {
  return pid === undefined ? 0 : (processTreeUsage(pid)?.cpuSeconds ?? 0);
}
