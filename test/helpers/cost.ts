import { existsSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { childrenOf, processTreeUsage } from '../../src/io/process-usage.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of the file, in seconds: its own process and those that it started. */
    cpu?: number;
  }
}

declare global {
  /** CPU time of earlier files in the same process, without child processes. */
  var spentByTests: number | undefined;
}

const sampleMs = 250;
/** Each started process with its descendants, sampled because the CPU time of a killed worker is otherwise lost. */
const children = new Map<number, number>();
/** Their CPU time before this file. */
const before = new Map(childrenOf(process.pid).map((pid) => [pid, processTreeUsage(pid)?.cpuSeconds ?? 0]));
const reapedBefore = globalThis.spentByTests === undefined ? 0 : reaped();
const sampling = setInterval(sample, sampleMs).unref();

// the first hook that is set runs last: what the file shares has ended
// oxlint-disable-next-line no-empty-pattern -- vitest refuses another name for a context that is not used
afterAll(({}, suite) => {
  clearInterval(sampling);
  sample();
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  const seen = [...children.values()].reduce((sum, cpu) => sum + cpu, 0);
  const now = new Set(childrenOf(process.pid));
  const ofEarlierFiles = [...before].reduce((sum, [pid, cpu]) => sum + (now.has(pid) ? 0 : cpu), 0);
  // processes shorter than a sample were waited for, killed ones were sampled
  const waited = reaped() - reapedBefore - ofEarlierFiles;
  suite.file.meta.cpu = own - (globalThis.spentByTests ?? 0) + Math.max(seen, waited);
  globalThis.spentByTests = own;
});

function sample(): void {
  for (const pid of childrenOf(process.pid)) {
    const cpu = processTreeUsage(pid)?.cpuSeconds;
    if (cpu !== undefined) children.set(pid, Math.max(cpu - (before.get(pid) ?? 0), children.get(pid) ?? 0));
  }
}

/** Of children that have ended and were waited for. */
function reaped(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  // fields 16 and 17 in all; the name of the program, in parentheses, may contain spaces
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) / 100;
}
