import { withCells, type Image } from './image.ts';
import { imageToImage, overChoices, type Operation } from './operation.ts';

/** Growth: colours run into the empty cells around them. */
export const spreadOperations: readonly Operation[] = [
  imageToImage({
    name: 'spread',
    summary: 'every empty cell takes the colour of the nearest filled cell',
    ...overChoices('reach', ['4', '8'], 12),
    make:
      ({ reach }) =>
      (source) =>
        grow(source, reach === '8', Infinity),
  }),
  imageToImage({
    name: 'grow',
    summary: 'filled cells grow by one cell',
    ...overChoices('reach', ['4', '8'], 12),
    make:
      ({ reach }) =>
      (source) =>
        grow(source, reach === '8', 1),
  }),
];

/** Breadth first from all filled cells; the cell that comes first in reading order wins a tie. */
function grow(source: Image, diagonal: boolean, steps: number): Image {
  const { width, height } = source;
  const out = source.cells.slice();
  let frontier: number[] = [];
  for (let i = 0; i < out.length; i++) if (out[i] !== 0) frontier.push(i);
  for (let step = 0; step < steps && frontier.length > 0; step++) {
    const next: number[] = [];
    for (const cell of frontier) {
      const x = cell % width;
      const y = (cell - x) / width;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if (!diagonal && dx !== 0 && dy !== 0) continue;
          const nx = x + dx;
          const ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= width || ny >= height || out[ny * width + nx] !== 0) continue;
          out[ny * width + nx] = out[cell] as number;
          next.push(ny * width + nx);
        }
      }
    }
    frontier = next;
  }
  return withCells(source, out);
}
