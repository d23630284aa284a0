import { describe, expect, it } from 'vitest';
import { brokenTraits, doubtsOf } from '../../../src/arc/search/traits.ts';
import { motions, moveGrid, recolourGrid } from '../../../src/arc/grid/grid.ts';
import { pic } from '../arbitrary.ts';

const task = {
  train: [
    { input: pic('120', '000', '003'), output: pic('124', '444', '443') },
    { input: pic('05', '00'), output: pic('45', '44') },
  ],
  test: [pic('600', '070', '000')],
};

describe('traits of outputs', () => {
  it('an answer that breaks a trait of all pairs is doubtful', () => {
    const doubts = doubtsOf(task);
    const filled = doubts([pic('644', '474', '444')]);
    expect(filled).toBe(0);
    expect(brokenTraits(task)([pic('644', '474', '440')])).toContain('black');
    const other = doubts([pic('633', '373', '333')]);
    expect(other).toBeGreaterThan(filled);
    expect(doubts([pic('6')])).toBeGreaterThan(other);
  });

  it('there are none for a single pair or a missing answer', () => {
    expect(doubtsOf({ ...task, train: task.train.slice(0, 1) })([pic('6')])).toBe(0);
    expect(doubtsOf(task)([null])).toBe(0);
  });

  it('are the same for a rotated, recoloured task', () => {
    const answers = [pic('644', '474', '440')];
    const usual = doubtsOf(task)(answers);
    for (const motion of motions) {
      const change = (grid: (typeof answers)[number]) =>
        recolourGrid(moveGrid(grid, motion), [0, 5, 6, 7, 8, 9, 1, 2, 3, 4]);
      const train = task.train.map(({ input, output }) => ({ input: change(input), output: change(output) }));
      expect(doubtsOf({ train, test: task.test.map(change) })(answers.map(change))).toBeCloseTo(usual, 9);
    }
  });
});
