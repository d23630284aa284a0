import type { Reading } from '../core/scheduler/meter.ts';
import { sharedCpuSeconds } from './cpu-share.ts';
import { processTreeUsage } from './process-usage.ts';

/**
 * Without /proc (macOS), the CPU time of children is unknown; then it is what their requests report:
 * `reportedSeconds`.
 */
export function readMachine(reportedSeconds: number): Reading {
  const { user, system } = process.cpuUsage();
  const host = (user + system) / 1e6;
  const tree = processTreeUsage(process.pid);
  return {
    own: tree?.cpuSeconds ?? host + reportedSeconds,
    host,
    all: sharedCpuSeconds(),
    residentBytes: tree?.residentBytes ?? process.memoryUsage.rss(),
  };
}
