import { codeOf } from '../core/errors.ts';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import type { Owner } from '../core/owner.ts';
import { processStart } from './process-usage.ts';

/** Interval at which the holder of a lock or run reports that it is alive. */
export const heartbeatMs = 2000;
/** After this silence an owner counts as dead, unless there is better evidence. */
const silenceMs = 60_000;

/** This process, described so that others can check whether it is alive. */
export function thisProcess(): Owner {
  return { place: place(), pid: process.pid, started: processStart(process.pid) ?? '' };
}

/** Whether the owner is alive, given when it last reported. A live process is never declared dead, however long it is silent. */
export function lives(owner: Owner, silentMs: number): boolean {
  const isSilent = silentMs > silenceMs;
  // another machine or container, or before a reboot: its process id means nothing here
  if (owner.place !== place()) return !isSilent;
  if (!isRunning(owner.pid)) return false;
  const started = processStart(owner.pid);
  // the process id may have been reused
  return started === undefined ? !isSilent : started === owner.started;
}

/** Processes with the same place see each other's ids. */
function place(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const container = quietly(() => readlinkSync('/proc/self/ns/pid'));
  return [os.hostname(), boot, container].filter((part) => part !== undefined).join(' ');
}

/** Whether a process with this id exists. */
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
