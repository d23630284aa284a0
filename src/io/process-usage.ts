import { readFileSync } from 'node:fs';

/** Resources that a process has used so far, as reported by the operating system. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Number of running processes in the tree. */
  readonly processes: number;
}

/** The kernel counts CPU time of a process in ticks of 1/100 s on every Linux that Node runs on. */
const ticksPerSecond = 100;
const pageBytes = 4096;
/** Fields of /proc/PID/stat after the program's name: user and system time, and those of ended children. */
const times = [11, 12, 13, 14];
const startTime = 19;
const residentPages = 21;
const flags = 6;
/** PF_EXITING: set while a process exits, which takes a large one a while. */
const exiting = 4;
/** SIGKILL in a signal mask. */
const killed = 1 << 8;

/**
 * A process and everything it started, ended processes included. Undefined if the process is gone, or without /proc (macOS).
 */
export function processTreeUsage(pid: number): ProcessUsage | undefined {
  const own = usageOf(pid);
  if (!own) return undefined;
  let { cpuSeconds, residentBytes, processes } = own;
  for (const child of childrenOf(pid)) {
    const usage = processTreeUsage(child);
    cpuSeconds += usage?.cpuSeconds ?? 0;
    residentBytes += usage?.residentBytes ?? 0;
    processes += usage?.processes ?? 0;
  }
  return { cpuSeconds, residentBytes, processes };
}

/** The leaves of a process tree; empty if the process is gone, or without /proc. */
export function innermostOf(pid: number): number[] {
  if (statFields(pid) === undefined) return [];
  const children = childrenOf(pid);
  return children.length === 0 ? [pid] : children.flatMap(innermostOf);
}

/** A process and its descendants; empty if the process is gone, or without /proc. */
export function treeOf(pid: number): number[] {
  return statFields(pid) === undefined ? [] : [pid, ...childrenOf(pid).flatMap(treeOf)];
}

/** Whether a process has ended, is ending, or was sent SIGKILL a moment ago. The system knows this before Node reports it. */
export function isEnding(pid: number): boolean {
  const fields = statFields(pid);
  if (fields === undefined || (Number(fields[flags]) & exiting) !== 0) return true;
  const pending = /^SigPnd:\t(?<thread>\w+)\nShdPnd:\t(?<process>\w+)/m.exec(
    read(`/proc/${pid}/status`) ?? '',
  )?.groups;
  return [pending?.['thread'], pending?.['process']].some(
    (mask) => (Number.parseInt(mask?.slice(-8) ?? '0', 16) & killed) !== 0,
  );
}

/** The processes that a thread has started, by default the main one. */
export function childrenOf(pid: number, thread = pid): number[] {
  const children = read(`/proc/${pid}/task/${thread}/children`) ?? '';
  return children
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);
}

/** Start time of a process in ticks since boot; undefined in the same cases as `processTreeUsage`. */
export function processStart(pid: number): string | undefined {
  return statFields(pid)?.[startTime];
}

function usageOf(pid: number): ProcessUsage | undefined {
  const fields = statFields(pid);
  if (fields === undefined) return undefined;
  const ticks = times.reduce((sum, field) => sum + Number(fields[field]), 0);
  const residentBytes = Number(fields[residentPages]) * pageBytes;
  return { cpuSeconds: ticks / ticksPerSecond, residentBytes, processes: 1 };
}

/** The second field is the program's name in parentheses, which may contain spaces; returns the fields after it. */
function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
