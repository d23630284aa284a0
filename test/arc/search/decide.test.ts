import { describe, expect, it } from 'vitest';
import { decide, type Cells } from '../../../src/arc/search/decide.ts';
import { Work } from '../../../src/arc/search/work.ts';

const limits = { widen: 4, deepest: 2, work: new Work(Infinity) };

/** Three training pairs of two rows each and a test of two rows; `shape` is right everywhere, `cheap` on the first two pairs. */
const lesson: Cells = {
  columns: [
    { name: 'cheap', values: Uint8Array.from([0, 1, 0, 1, 1, 0, 0, 1]), kinds: 2, price: 1 },
    { name: 'shape', values: Uint8Array.from([0, 1, 0, 1, 0, 1, 1, 0]), kinds: 2, price: 5 },
    { name: 'also', values: Uint8Array.from([2, 3, 2, 3, 2, 3, 3, 2]), kinds: 4, price: 6 },
  ],
  pairEnd: [2, 4, 6, 8],
  trainPairs: 3,
  right: Uint32Array.from([1, 2, 1, 2, 1, 2]),
  answers: ['stay', 'go'],
};

function resultOf(answer: string): number {
  return Number(answer === 'go');
}

describe('table learning', () => {
  it('learns the table without each pair, and reports how often that is right', () => {
    const { decided } = decide(lesson, limits, 1);
    expect(decided[0]).toMatchObject({ columns: [{ name: 'shape' }] });
    // the column holds for all pairs; without the third, the cheaper one also decides, is chosen, and is wrong for the third
    expect(decided[0]?.held).toBeCloseTo((1 + 2 / 3) / 2, 9);
  });

  it('draws no conclusion from a single pair', () => {
    const single = { ...lesson, trainPairs: 1, pairEnd: [6, 8] };
    expect(decide(single, limits, 1).decided[0]?.held).toBe(0);
  });

  it('returns one of several tables with the same test answers', () => {
    const named = decide(lesson, { ...limits, deepest: 1 }, 4).decided;
    expect(named.map(({ columns }) => columns[0]?.name)).toEqual(['shape', 'also']);
    const once = decide({ ...lesson, resultOf }, { ...limits, deepest: 1 }, 4).decided;
    expect(once.map(({ columns }) => columns[0]?.name)).toEqual(['shape']);
  });

  it('returns the best ambiguous table if none is decisive', () => {
    const noise = { ...lesson, right: Uint32Array.from([1, 2, 2, 1, 1, 1]) };
    const { decided, near } = decide(noise, limits, 1);
    expect(decided).toEqual([]);
    expect(near?.columns).toHaveLength(2);
  });

  it('counts the sets it examines, and tries no larger ones when its limit is reached', () => {
    const noise = { ...lesson, right: Uint32Array.from([1, 2, 2, 1, 1, 1]) };
    const whole = new Work(Infinity);
    decide(noise, { ...limits, work: whole }, 1);
    expect(whole.spent).toBeGreaterThan(0);
    const little = new Work(whole.spent / 1000);
    expect(decide(noise, { ...limits, work: little }, 1).near).toBeNull();
    expect(little.isOver).toBe(true);
    expect(little.spent).toBeLessThan(whole.spent);
  });
});
