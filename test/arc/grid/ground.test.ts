import { describe, expect, it } from 'vitest';
import { countColours, type Grid } from '../../../src/arc/grid/grid.ts';
import { groundsOf, mainGround } from '../../../src/arc/grid/ground.ts';
import { viewsOf } from '../../../src/arc/search/views.ts';
import { picture } from '../arbitrary.ts';
import { invented } from '../invented.ts';

function task(...inputs: readonly Grid[]): Parameters<typeof groundsOf>[0] {
  return { train: inputs.map((input) => ({ input, output: input })), test: [] };
}

function exchanged(grid: Grid, ground: number): Grid {
  const cells = grid.cells.map((cell) => (cell === 0 ? ground : cell === ground ? 0 : cell));
  return { ...grid, cells };
}

describe('the background colour of a task', () => {
  const onBlack = picture('000000', '011000', '000220', '000000');

  it('is the most frequent colour if it fills the inputs and their edges, otherwise black', () => {
    expect(groundsOf(task(onBlack, onBlack))).toEqual(['black']);
    expect(groundsOf(task(exchanged(onBlack, 8), exchanged(onBlack, 3)))).toEqual(['main', 'black']);
    // much black: either colour may be the background
    expect(groundsOf(task(picture('5555', '5005', '5005', '5555')))).toEqual(['black', 'main']);
    // no colour is at the edge
    expect(groundsOf(task(picture('1203', '0550', '0550', '3021')))).toEqual(['black']);
  });

  it('follows an exchange of black and another colour; the first view stays the same', () => {
    for (const one of invented) {
      const counts = countColours(Uint8Array.from(one.train.flatMap(({ input }) => [...input.cells])));
      if ((counts[0] as number) * 2 < counts.reduce((sum, count) => sum + count)) continue;
      const free = [8, 9, 7].find((colour) => counts[colour] === 0) as number;
      const other = {
        ...one,
        train: one.train.map(({ input, output }) => ({
          input: exchanged(input, free),
          output: exchanged(output, free),
        })),
        test: one.test.map((input) => exchanged(input, free)),
      };
      if (!other.train.every(({ input }) => mainGround(input) === free)) continue;
      expect(viewsOf(other)[0]?.roots.map(({ cells }) => [...cells])).toEqual(
        viewsOf(one)[0]?.roots.map(({ cells }) => [...cells]),
      );
    }
  });
});
