import { expect, test } from 'vitest';
import { Throttle } from '../../src/core/throttle.ts';

/** A machine that works whenever permitted: each permit starts a request that uses one core for some time. */
async function simulate(
  throttle: Throttle,
  cores: number,
  seconds: number,
  requestSeconds: number,
): Promise<number[]> {
  const step = 0.25;
  const windows: number[] = [];
  let left: number[] = [];
  let waiting = 0;
  let used = 0;
  for (let time = 0; time < seconds; time += step) {
    while (left.length + waiting < cores) {
      waiting++;
      void throttle.permit('light').then(() => {
        waiting--;
        left.push(requestSeconds);
      });
      await settle();
    }
    const own = left.reduce((sum, rest) => sum + Math.min(step, rest), 0);
    left = left.map((rest) => rest - step).filter((rest) => rest > 0);
    used += own;
    throttle.charge({ seconds: step, own, all: own });
    await settle();
    if ((time + step) % 60 === 0) {
      windows.push(used / (60 * cores));
      used = 0;
    }
  }
  return windows;
}

const settle = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

test.each([
  [0.5, 2, 0.3],
  [0.5, 8, 1.5],
  [0.25, 2, 4],
  [0.9, 4, 0.5],
])(
  'uses %d of %d cores with requests of %d s, in every window of a minute',
  async (target, cores, request) => {
    for (const share of await simulate(new Throttle(target, cores), cores, 300, request))
      expect(Math.abs(share - target)).toBeLessThan(0.05);
  },
);

test('uses less CPU while other programs are busy, and more again afterwards', () => {
  const throttle = new Throttle(0.5, 2);
  for (let reading = 0; reading < 100; reading++) throttle.charge({ seconds: 0.25, own: 0, all: 0.4 });
  expect(throttle.others).toBeCloseTo(0.8, 2);
  expect(throttle.share).toBeCloseTo(0.2, 2);
  for (let reading = 0; reading < 100; reading++) throttle.charge({ seconds: 0.25, own: 0.25, all: 0.25 });
  expect(throttle.share).toBe(0.5);
});

test('after a night of sleep the burst is at most three seconds', async () => {
  const throttle = new Throttle(0.5, 2);
  throttle.charge({ seconds: 30_000, own: 0, all: 0 });
  throttle.charge({ seconds: 0.25, own: 3.25, all: 3.25 });
  let isGranted = false;
  void throttle.permit('light').then(() => (isGranted = true));
  await settle();
  expect(isGranted).toBe(false);
  throttle.charge({ seconds: 0.25, own: 0, all: 0 });
  await settle();
  expect(isGranted).toBe(true);
});

test('heavy requests wait for light ones; a cancelled request stops waiting', async () => {
  const throttle = new Throttle(0.5, 2);
  throttle.charge({ seconds: 0, own: 2.9, all: 2.9 });
  await throttle.permit('light');
  const cancel = new AbortController();
  const heavy = throttle.permit('heavy', cancel.signal);
  cancel.abort(new Error('enough'));
  await expect(heavy).rejects.toThrow('enough');
});

test('a larger weight for new readings follows other load faster', () => {
  const [slow, fast] = [0.1, 0.5].map((alpha) => new Throttle(0.5, 2, alpha));
  for (const throttle of [slow, fast]) throttle?.charge({ seconds: 1, own: 0, all: 2 });
  expect([slow?.others, fast?.others]).toEqual([0.1, 0.5]);
});
