import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { childrenOf } from '../../src/io/process-usage.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process that runs; one that has ended and only waits for its parent to ask (a zombie) does not. */
export function runningProcesses(): RunningProcess[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

/** The processes below `root`, at any depth. */
export function descendantsOf(root: number, all = runningProcesses()): RunningProcess[] {
  const children = all.filter(({ parent }) => parent === root);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

/**
 * The children that each thread of this process has started and not waited for; undefined on a system without
 * /proc.
 */
export function childrenOfThreads(): number[] | undefined {
  const threads = '/proc/self/task';
  if (!existsSync(threads)) return undefined;
  return readdirSync(threads).flatMap((thread) => childrenOf(process.pid, Number(thread)));
}

export function isRunning(pid: number): boolean {
  return runningProcesses().some((process) => process.pid === pid);
}

/** Acts like the system's out-of-memory killer on a worker: its launcher and its descendants end immediately. */
export function killWorker(pid: number | undefined): void {
  if (pid === undefined) throw new Error('there is no process to kill');
  process.kill(-pid, 'SIGKILL');
}

/** Polls until the condition holds; the test's time limit ends an unsuccessful wait. */
export async function eventually(condition: () => boolean | Promise<boolean>, pollMs = 25): Promise<void> {
  while (!(await condition())) await sleep(pollMs);
}

function fromProc(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), parent: Number(parent), command }];
    } catch {
      return []; // it ended in the meantime
    }
  });
}

function fromPs(): RunningProcess[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined || state.startsWith('Z') || command.startsWith('ps -A')) return [];
      return [{ pid: Number(pid), parent: Number(parent), command }];
    });
}
