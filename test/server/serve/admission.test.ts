import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Admission, Busy } from '../../../src/server/serve/admission.ts';

const never = new AbortController().signal;

test('never admits more than its capacity, in order of arrival', async () => {
  const admission = new Admission(10, 60_000);
  let held = 0;
  let most = 0;
  const order: number[] = [];
  const weights = [4, 7, 1, 1, 20, 3, 10];
  const work = weights.map(async (weight, index) => {
    await admission.run(
      never,
      async () => {
        order.push(index);
        held += Math.min(weight, 10);
        most = Math.max(most, held);
        await setImmediate();
        held -= Math.min(weight, 10);
      },
      weight,
    );
  });
  await Promise.all(work);
  expect(order).toEqual(weights.keys().toArray());
  expect(most).toBe(10);
});

test('a request that waits too long is refused, and those behind it proceed', async () => {
  const admission = new Admission(10, 20);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = admission.run(never, async () => await promise, 6);
  await expect(admission.run(never, async () => undefined, 6)).rejects.toThrow(Busy);
  expect(await admission.run(never, async () => 'small', 4)).toBe('small');
  resolve();
  await first;
});
