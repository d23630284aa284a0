import { definite } from '../../core/errors.ts';
import { contentHash, motions, moveGrid, type Grid } from './grid.ts';
import type { Task } from './task.ts';

/**
 * The name of a task up to the 8 symmetries and any exchange of colours: equal for a task and its turned and recoloured
 * twins, so memory can keep a task's own answer from coming back to it. Pairs count as a set.
 */
export function fingerprint({ train, test }: Pick<Task, 'train' | 'test'>): string {
  const texts = motions.map((motion) => {
    const pairs = [
      ...train.map(({ input, output }) => [moveGrid(input, motion), moveGrid(output, motion)]),
      ...test.map((input) => [moveGrid(input, motion)]),
    ];
    return pairs.map(canonical).sort().join('/');
  });
  return contentHash(definite(texts.sort()[0]));
}

/** The grids of one pair with colours numbered in order of appearance, so every exchange of colours reads the same. */
function canonical(grids: readonly Grid[]): string {
  const numbers = new Map<number, number>();
  return grids
    .map(({ width, cells }) => {
      const renamed = Array.from(cells, (cell) => {
        const known = numbers.get(cell) ?? numbers.size;
        numbers.set(cell, known);
        return known;
      });
      return `${width}:${renamed.join('')}`;
    })
    .join('>');
}
