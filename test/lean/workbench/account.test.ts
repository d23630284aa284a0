import { expect, test } from 'vitest';
import { noCost } from '../../../src/lean/base/protocol.ts';
import { WorkAccount } from '../../../src/lean/workbench/account.ts';

function accountOf(seconds: number): WorkAccount {
  const { signal } = new AbortController();
  return new WorkAccount({
    limits: { cpu_seconds: seconds, heartbeats: 100 },
    signal,
    permit: async () => {},
  });
}

test('the limit counts work, so a machine that is seven times slower does the same work', () => {
  const [quick, slow] = [accountOf(10), accountOf(10)];
  quick.charge({ ...noCost, workSeconds: 9, cpuSeconds: 6 });
  slow.charge({ ...noCost, workSeconds: 9, cpuSeconds: 63 });
  expect([quick.secondsLeft, slow.secondsLeft]).toEqual([1, 1]);
  expect(quick.turn).toBe(slow.turn);
  for (const account of [quick, slow]) account.charge({ ...noCost, workSeconds: 2, cpuSeconds: 1 });
  expect([quick.stopped, slow.stopped]).toEqual(['exhausted', 'exhausted']);
});

test('work without heartbeats ends at a safety limit', () => {
  const account = accountOf(10);
  account.charge({ ...noCost, cpuSeconds: 89 });
  expect(account.stopped).toBeUndefined();
  account.charge({ ...noCost, cpuSeconds: 2 });
  expect(account.stopped).toBe('exhausted');
});
