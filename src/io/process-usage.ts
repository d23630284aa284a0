import { readFileSync } from 'node:fs';

/** What a process has used so far, as the operating system tells it. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** The kernel counts CPU time of a process in ticks of 1/100 s on every Linux that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** Undefined when the process is gone, or on a system without /proc (macOS). */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the second field is the program's name in parentheses, which may hold spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpuSeconds: ticks / ticksPerSecond, residentBytes: Number(fields[21]) * pageBytes };
  } catch {
    return undefined;
  }
}
