import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * CPU-seconds used by all processes on the processors we may use. In a container with a quota, that is the usage of its control group, since load on the rest of the host takes nothing from us. `root` differs from / only in tests.
 */
export function sharedCpuSeconds(root = '/'): number {
  return quotaGroupSeconds(root) ?? processorSeconds(root);
}

/** Usage of our innermost control group with a quota; undefined without one. */
export function quotaGroupSeconds(root: string): number | undefined {
  for (const line of (read(root, 'proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers, group] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || group === undefined) continue;
    const seconds =
      controllers === ''
        ? newStyleSeconds(root, group)
        : controllers.split(',').includes('cpu')
          ? oldStyleSeconds(root, group)
          : undefined;
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** cgroup 2: one tree; `cpu.max` is "max 100000" without a limit. */
function newStyleSeconds(root: string, group: string): number | undefined {
  for (const folder of upwards('sys/fs/cgroup', group)) {
    if (!/^\d/.test(read(root, folder, 'cpu.max') ?? '')) continue;
    const used = /^usage_usec (\d+)$/m.exec(read(root, folder, 'cpu.stat') ?? '')?.[1];
    if (used !== undefined) return Number(used) / 1e6;
  }
  return undefined;
}

/** cgroup 1: one tree per controller; a quota of -1 means no limit. */
function oldStyleSeconds(root: string, group: string): number | undefined {
  for (const [limits, usage] of [
    ['sys/fs/cgroup/cpu,cpuacct', 'sys/fs/cgroup/cpu,cpuacct'],
    ['sys/fs/cgroup/cpu', 'sys/fs/cgroup/cpuacct'],
  ] as const)
    for (const folder of upwards('', group)) {
      if (!(Number(read(root, limits, folder, 'cpu.cfs_quota_us') ?? -1) > 0)) continue;
      const used = read(root, usage, folder, 'cpuacct.usage');
      if (used !== undefined) return Number(used) / 1e9;
    }
  return undefined;
}

/** A group and its ancestors. In a container the name may be the host's, while the tree starts at the container's own group. */
function upwards(base: string, group: string): string[] {
  const parts = group.split('/').filter((part) => part !== '');
  return Array.from({ length: parts.length + 1 }, (_, dropped) =>
    path.join(base, ...parts.slice(0, parts.length - dropped)),
  );
}

function processorSeconds(root: string): number {
  const allowed = allowedProcessors(read(root, 'proc/self/status') ?? '');
  return os
    .cpus()
    .filter((_, processor) => allowed?.has(processor) ?? true)
    .reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** Parses a list like "0-3,8". Undefined on systems without one. */
export function allowedProcessors(status: string): ReadonlySet<number> | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1];
  if (list === undefined) return undefined;
  return new Set(
    list.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    }),
  );
}

function read(...parts: readonly string[]): string | undefined {
  try {
    return readFileSync(path.join(...parts), 'utf8').trim();
  } catch {
    return undefined;
  }
}
