import { readFileSync } from 'node:fs';
import os from 'node:os';

/** CPU time and memory, as counters since some time in the past: two readings make a rate. */
export interface MachineReading {
  /** CPU-seconds of this process and everything it has started, ended processes included. */
  readonly own: number;
  /** CPU-seconds of this process alone. */
  readonly host: number;
  /** CPU-seconds of everybody on this machine. */
  readonly all: number;
  /** Resident memory of the process tree. */
  readonly residentBytes: number;
}

/** The kernel counts CPU time of a process in ticks of 1/100 s on every Linux that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/**
 * Reads /proc. Where there is none (macOS), children are unknown here and count by what each of their requests reports:
 * `reportedSeconds`.
 */
export function readMachine(reportedSeconds: number): MachineReading {
  const { user, system } = process.cpuUsage();
  const host = (user + system) / 1e6;
  const tree = processTree(process.pid);
  const own = tree ? tree.ticks / ticksPerSecond : host + reportedSeconds;
  return {
    own,
    host,
    all: machineSeconds(),
    residentBytes: tree ? tree.pages * pageBytes : process.memoryUsage.rss(),
  };
}

interface TreeUsage {
  readonly ticks: number;
  readonly pages: number;
}

/** A process with its children, and with what its ended children had used. */
function processTree(pid: number): TreeUsage | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // the second field is the program's name in parentheses, which may hold spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime, stime, and the same of children that have been waited for
  let ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  let pages = Number(fields[21]);
  for (const child of (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ')) {
    const usage = child === '' ? undefined : processTree(Number(child));
    ticks += usage?.ticks ?? 0;
    pages += usage?.pages ?? 0;
  }
  return { ticks, pages };
}

function machineSeconds(): number {
  return os
    .cpus()
    .reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
