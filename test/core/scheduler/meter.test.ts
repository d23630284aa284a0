import { expect, test } from 'vitest';
import { Meter, type Reading } from '../../../src/core/scheduler/meter.ts';
import { Throttle } from '../../../src/core/throttle.ts';

test('the CPU of a worker that exits is included up to its last reading', () => {
  const own = [10, 14, 20, 12];
  let at = 0;
  const read = (): Reading => ({ own: own[at] ?? 0, host: 0, all: 0, residentBytes: 0 });
  const throttle = new Throttle(0.5, 2);
  const meter = new Meter(read, () => at * 1000, throttle, 2);
  for (at = 1; at < own.length; at++) meter.tick(true);
  expect(meter.totals().cpuSeconds).toBe(10);
});
