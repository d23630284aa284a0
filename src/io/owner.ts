import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import type { RunOwner } from '../core/journal.ts';

/** This process, in words by which others can tell whether it still lives. */
export function thisProcess(): RunOwner {
  return { place: place(), pid: process.pid, started: startOf(process.pid) ?? '' };
}

/**
 * Whether the process lives. `elsewhere`: its number means nothing here (another machine, another container, or before a
 * restart of this one), and only its heartbeat can tell.
 */
export function lifeOf(owner: RunOwner): 'alive' | 'gone' | 'elsewhere' {
  if (owner.place !== place()) return 'elsewhere';
  if (!exists(owner.pid)) return 'gone';
  // the number may have been given to another process since
  return (startOf(owner.pid) ?? '') === owner.started ? 'alive' : 'gone';
}

/** Two processes with the same place see each other's numbers. */
function place(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const container = quietly(() => readlinkSync('/proc/self/ns/pid'));
  return [os.hostname(), boot, container].filter((part) => part !== undefined).join(' ');
}

/** In ticks since the machine was booted; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // the second field is the program's name in parentheses, which may hold spaces; the start is the 22nd of all
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function quietly<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
