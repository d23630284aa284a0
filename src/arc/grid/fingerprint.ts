import { definite } from '../../core/errors.ts';
import { contentHash, motions, moveGrid, type Grid } from './grid.ts';
import type { Task } from './task.ts';

/**
 * The identity of a task up to the 8 symmetries and any permutation of colours. It is equal for turned and recoloured
 * versions of a task, so memory can exclude a task's own answer. The order of pairs does not matter.
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

/** The grids of one pair with colours numbered in order of appearance, so that permuted colours give the same text. */
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
