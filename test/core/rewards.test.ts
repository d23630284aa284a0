import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rewardOf, rewards } from '../../src/core/rewards.ts';
import type { Outcome } from '../../src/core/strategy.ts';
import { division, engineOf, ofType, spent, strategyOf, type Factoring } from './scheduler/factoring.ts';

test('a cheap success gets a larger reward than an expensive one', () => {
  expect(rewardOf({ workSeconds: 0, budgetSeconds: 8 })).toBe(1);
  expect(rewardOf({ workSeconds: 8, budgetSeconds: 8 })).toBe(0.5);
  expect(rewardOf({ workSeconds: 80, budgetSeconds: 8 })).toBe(0.5);
  // what models cost counts like CPU
  expect(rewardOf({ workSeconds: 2, budgetSeconds: 8, boughtShare: 0.25 })).toBe(0.75);
  expect(rewardOf({ workSeconds: 2, budgetSeconds: 8, boughtShare: 1 })).toBe(0.5);
});

test('a lemma that another goal waits for, and a shorter proof, get a larger reward', () => {
  const plain = { workSeconds: 2, budgetSeconds: 8 };
  expect(rewardOf({ ...plain, isLemma: true }) - rewardOf(plain)).toBeCloseTo(rewards.delivered);
  expect(rewardOf({ ...plain, shortenedBy: 0.5 }) - rewardOf(plain)).toBeCloseTo(rewards.shortened / 2);
  expect(rewardOf({ ...plain, shortenedBy: -3 })).toBe(rewardOf(plain));
});

async function byHint({ n, hint = 0 }: Factoring): Promise<Outcome<number>> {
  return hint > 1 && hint < n && n % hint === 0
    ? { kind: 'solved', candidate: hint, ...spent }
    : { kind: 'failed', message: 'no hint', ...spent };
}

test('the arm that proves a helper lemma in a run gets the reward for it', async () => {
  const { engine, events } = engineOf([strategyOf('micro', { hint: byHint, two: division(2) })]);
  engine.add({ n: 121 });
  engine.add({ n: 6 });
  await engine.run();
  const paid = ofType(events, 'attempt-finished').filter(({ outcome }) => outcome === 'solved');
  const own = rewardOf({ workSeconds: spent.cpuSeconds, budgetSeconds: 8 });
  const rewardFor = (goal: string): number | null | undefined =>
    paid.find((one) => one.goal === goal)?.reward;
  expect(rewardFor('factor 6')).toBe(own);
  expect(rewardFor('factor 242')).toBe(own + rewards.delivered);
});

test('docs/SCHEDULING.md states the rewards', () => {
  const page = readFileSync(new URL('../../docs/SCHEDULING.md', import.meta.url), 'utf8');
  const { solved, cost, delivered, shortened } = rewards;
  expect(page).toContain(
    `${solved} − ${cost} × cost + ${delivered} for a delivered lemma + ${shortened} × the share by which a known proof became shorter`,
  );
});
