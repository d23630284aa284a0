import { describe, expect, test } from 'vitest';
import { processTreeUsage } from '../../src/io/process-usage.ts';

describe('processTreeUsage', () => {
  test('agrees with the process’s own figures', () => {
    const { user, system } = process.cpuUsage();
    const usage = processTreeUsage(process.pid);
    expect(usage?.cpuSeconds).toBeGreaterThanOrEqual((user + system) / 1e6 - 0.05);
    expect(usage?.residentBytes).toBeGreaterThan(process.memoryUsage.rss() / 2);
    expect(usage?.residentBytes).toBeLessThan(process.memoryUsage.rss() * 2);
  });

  test('returns nothing for a process that does not exist', () => {
    expect(processTreeUsage(2 ** 30)).toBeUndefined();
  });
});
