import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allowedProcessors, quotaGroupSeconds, sharedCpuSeconds } from '../../src/io/cpu-share.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** Files as a kernel would show them. */
function machine(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), `${text}\n`);
  }
  return root;
}

test('with a quota, other load is that of the same control group', () => {
  const container = machine({
    'proc/self/cgroup': '0::/',
    'sys/fs/cgroup/cpu.max': '200000 100000',
    'sys/fs/cgroup/cpu.stat': 'usage_usec 12500000\nuser_usec 12000000',
  });
  expect(sharedCpuSeconds(container)).toBe(12.5);
  const nested = machine({
    'proc/self/cgroup': '0::/user.slice/build.scope/inner',
    'sys/fs/cgroup/user.slice/build.scope/inner/cpu.max': 'max 100000',
    'sys/fs/cgroup/user.slice/build.scope/inner/cpu.stat': 'usage_usec 1000000',
    'sys/fs/cgroup/user.slice/build.scope/cpu.max': '50000 100000',
    'sys/fs/cgroup/user.slice/build.scope/cpu.stat': 'usage_usec 3000000',
  });
  expect(quotaGroupSeconds(nested)).toBe(3);
});

test('control groups of version 1 are read from their own files, also under the host’s name', () => {
  const files = {
    'proc/self/cgroup': '12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc',
    'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000',
    'sys/fs/cgroup/cpu,cpuacct/cpuacct.usage': '7000000000',
  };
  expect(quotaGroupSeconds(machine(files))).toBe(7);
  expect(
    quotaGroupSeconds(machine({ ...files, 'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1' })),
  ).toBeUndefined();
  const apart = {
    'proc/self/cgroup': '2:cpuacct:/\n1:cpu:/',
    'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000',
    'sys/fs/cgroup/cpuacct/cpuacct.usage': '2000000000',
  };
  expect(quotaGroupSeconds(machine(apart))).toBe(2);
});

test('without a quota, other load is that of the allowed processors', () => {
  const open = machine({
    'proc/self/cgroup': '0::/',
    'sys/fs/cgroup/cpu.max': 'max 100000',
    'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0',
  });
  const one = sharedCpuSeconds(open);
  expect(one).toBeGreaterThan(0);
  expect(one).toBeLessThanOrEqual(sharedCpuSeconds(machine({})));
  expect(allowedProcessors('Cpus_allowed_list:\t0-2,5,8-9')).toEqual(new Set([0, 1, 2, 5, 8, 9]));
  expect(allowedProcessors('')).toBeUndefined();
});

test('on this machine, orch’s usage is part of the usage of its share', () => {
  const before = { all: sharedCpuSeconds(), own: process.cpuUsage() };
  const ownSeconds = (): number => {
    const { user, system } = process.cpuUsage(before.own);
    return (user + system) / 1e6;
  };
  while (ownSeconds() < 0.2);
  // the system counts in hundredths of a second per processor
  expect(sharedCpuSeconds() - before.all).toBeGreaterThan(ownSeconds() / 2);
  const group = quotaGroupSeconds('/');
  if (group !== undefined) expect(sharedCpuSeconds()).toBeGreaterThanOrEqual(group);
});
