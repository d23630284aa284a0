import { expect, test } from 'vitest';
import { attemptAlone, type Alone } from '../../../src/core/scheduler/single-attempt.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { division, FactorDomain, spent, strategyOf } from './factoring.ts';

const strategy = strategyOf('divide', {
  small: division(5),
  large: division(100),
  wrong: async () => ({ kind: 'solved', candidate: 4, ...spent }),
});

async function alone(n: number, arm: string): Promise<Alone & { readonly left: number }> {
  const domain = new FactorDomain();
  const parts = { domain, clock: systemClock, signal: new AbortController().signal };
  const limits = { cpu_seconds: 1, heartbeats: 1000 };
  const answer = await attemptAlone(parts, { n }, [strategy], arm, { limits, seed: 1 });
  return { ...answer, left: domain.open_ };
}

test('runs one arm, reports its cost and the verdict, and closes the goal', async () => {
  expect(await alone(77, 'divide/small')).toMatchObject({
    left: 0,
    attempt: {
      outcome: 'failed',
      message: 'no divisor up to 5',
      proof: null,
      cpuSeconds: 0.01,
      judgeSeconds: 0,
    },
  });
  expect(await alone(77, 'divide/large')).toMatchObject({
    left: 0,
    attempt: { outcome: 'solved', message: null, proof: '7', openSeconds: 0.001, judgeSeconds: 0.005 },
  });
  expect(await alone(77, 'divide/wrong')).toMatchObject({
    left: 0,
    attempt: { outcome: 'failed', message: 'the gate: statement-changed: it does not divide' },
  });
});

test('an unknown arm and a goal that cannot be opened are errors', async () => {
  expect(await alone(77, 'divide/guess')).toMatchObject({
    kind: 'no-arm',
    offers: [{ name: 'divide/small', stage: 0 }, { name: 'divide/large' }, { name: 'divide/wrong' }],
    left: 0,
  });
  expect(await alone(7.5, 'divide/small')).toMatchObject({ kind: 'not-open', message: 'not a whole number' });
});
