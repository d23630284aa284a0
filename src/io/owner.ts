import { codeOf } from '../core/errors.ts';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import type { Owner } from '../core/owner.ts';
import { processStart } from './process-usage.ts';

/** The holder of a lock or run reports at this interval that it is alive, */
export const heartbeatMs = 2000;
/** and without better evidence an owner that has been silent for this long counts as dead. */
const silenceMs = 60_000;

/** This process, in a form that lets others check whether it is still alive. */
export function thisProcess(): Owner {
  return { place: place(), pid: process.pid, started: processStart(process.pid) ?? '' };
}

/** Whether the owner is alive, given when it last reported. A living process is never declared dead, however silent. */
export function lives(owner: Owner, silentMs: number): boolean {
  const isSilent = silentMs > silenceMs;
  // another machine, another container, or before a restart of this one: its number means nothing here
  if (owner.place !== place()) return !isSilent;
  if (!isRunning(owner.pid)) return false;
  const started = processStart(owner.pid);
  // the number may have been given to another process since
  return started === undefined ? !isSilent : started === owner.started;
}

/** Two processes with the same place see each other's numbers. */
function place(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const container = quietly(() => readlinkSync('/proc/self/ns/pid'));
  return [os.hostname(), boot, container].filter((part) => part !== undefined).join(' ');
}

/** Whether this machine has a process of this number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function quietly<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
