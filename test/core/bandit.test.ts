import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Bandit } from '../../src/core/bandit.ts';

test('new arms keep the order in which they are offered', () => {
  expect(new Bandit().rank(['a', 'b', 'c'], 'x').map(({ arm }) => arm)).toEqual(['a', 'b', 'c']);
});

test('the score is mean + 1.5·√(2 ln N / n), the mean a moving average from 0.05', () => {
  const bandit = new Bandit();
  for (let trial = 0; trial < 3; trial++) bandit.learn('a', '', 1);
  const mean = 1 - 0.95 * 0.9 ** 3;
  const [best] = bandit.rank(['a'], '');
  expect(best?.mean).toBeCloseTo(mean, 12);
  expect(best?.score).toBeCloseTo(mean + 1.5 * Math.sqrt((2 * Math.log(4)) / 3), 12);
});

test('without exploration the arm with the best average comes first, however often it was tried', () => {
  const first = [0, undefined, 5].map((exploration) => {
    const bandit = new Bandit([], exploration);
    for (let trial = 0; trial < 30; trial++) bandit.learn('known', '', trial % 2);
    return bandit.rank(['known', 'new'], '')[0]?.arm;
  });
  expect(first).toEqual(['known', 'new', 'new']);
});

test('an arm that succeeds in a context where others fail comes first in that context', () => {
  const bandit = new Bandit();
  for (let trial = 0; trial < 40; trial++) {
    bandit.learn('good', 'lists', 1);
    bandit.learn('bad', 'lists', 0);
  }
  expect(bandit.rank(['bad', 'good'], 'lists')[0]?.arm).toBe('good');
  // elsewhere nothing is known but what it did here
  expect(bandit.rank(['bad', 'good'], 'numbers')[0]?.arm).toBe('good');
});

test('an arm that has not been chosen for a long time is tried again', () => {
  const bandit = new Bandit();
  bandit.learn('rare', '', 0);
  for (let trial = 0; trial < 200; trial++) bandit.learn('usual', '', 0.5);
  expect(bandit.rank(['usual', 'rare'], '')[0]?.arm).toBe('rare');
});

test('means stay between 0 and 1, and records restore the same bandit', () => {
  const trial = fc.record({
    arm: fc.constantFrom('a', 'b', 'c'),
    context: fc.constantFrom('', 'x', 'y'),
    reward: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(trial), (trials) => {
      const bandit = new Bandit();
      for (const { arm, context, reward } of trials) bandit.learn(arm, context, reward);
      for (const { mean } of bandit.records()) expect(mean >= 0 && mean <= 1).toBe(true);
      const copy = new Bandit(bandit.records());
      expect(copy.rank(['a', 'b', 'c'], 'x')).toEqual(bandit.rank(['a', 'b', 'c'], 'x'));
    }),
  );
});
