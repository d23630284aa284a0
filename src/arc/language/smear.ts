import { definite } from '../../core/errors.ts';
import { withCells, type Image } from './image.ts';
import { imageToImage, overChoices, type RuleOperation } from './operation.ts';

/** Smears extend a colour in a direction over empty cells; connections fill between two equal cells. */
export const directions: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  right: [[1, 0]],
  left: [[-1, 0]],
  down: [[0, 1]],
  up: [[0, -1]],
  across: [
    [1, 0],
    [-1, 0],
  ],
  upright: [
    [0, 1],
    [0, -1],
  ],
  plus: [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ],
  'down-right': [[1, 1]],
  'down-left': [[-1, 1]],
  'up-right': [[1, -1]],
  'up-left': [[-1, -1]],
  'falling-diagonal': [
    [1, 1],
    [-1, -1],
  ],
  'rising-diagonal': [
    [1, -1],
    [-1, 1],
  ],
  cross: [
    [1, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
  ],
  star: [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
    [1, 1],
    [-1, -1],
    [1, -1],
    [-1, 1],
  ],
};
const smearNames = Object.keys(directions);
const lineNames = ['across', 'upright', 'plus', 'cross', 'star'];

export const smearOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'smear',
    summary: 'carry each colour over the empty cells ({way}) until the next filled cell',
    ...overChoices('way', smearNames),
    make: ({ way }) => {
      const along = definite(directions[way]);
      return (source) => smear(source, along);
    },
  }),
  imageToImage({
    name: 'connect',
    summary: 'fill the empty cells between two cells of one colour on a line ({way})',
    ...overChoices('way', lineNames),
    make: ({ way }) => {
      const along = definite(directions[way]).filter(([dx, dy]) => dx > 0 || (dx === 0 && dy > 0));
      return (source) => connect(source, along);
    },
  }),
];

function smear(source: Image, along: readonly (readonly [number, number])[]): Image {
  const { width, height, cells } = source;
  const out = cells.slice();
  for (const [dx, dy] of along) {
    for (let i = 0; i < cells.length; i++) {
      const colour = cells[i] ?? 0;
      if (colour === 0) continue;
      let x = (i % width) + dx;
      let y = Math.floor(i / width) + dy;
      while (x >= 0 && x < width && y >= 0 && y < height && cells[y * width + x] === 0) {
        if (out[y * width + x] === 0) out[y * width + x] = colour;
        x += dx;
        y += dy;
      }
    }
  }
  return withCells(source, out);
}

function connect(source: Image, along: readonly (readonly [number, number])[]): Image {
  const { width, height, cells } = source;
  const out = cells.slice();
  for (const [dx, dy] of along) {
    for (let i = 0; i < cells.length; i++) {
      const colour = cells[i] ?? 0;
      if (colour === 0) continue;
      const startX = (i % width) + dx;
      const startY = Math.floor(i / width) + dy;
      let x = startX;
      let y = startY;
      while (x >= 0 && x < width && y >= 0 && y < height && cells[y * width + x] === 0) {
        x += dx;
        y += dy;
      }
      if (x < 0 || x >= width || y < 0 || y >= height || cells[y * width + x] !== colour) continue;
      for (let fx = startX, fy = startY; fx !== x || fy !== y; fx += dx, fy += dy) {
        if (out[fy * width + fx] === 0) out[fy * width + fx] = colour;
      }
    }
  }
  return withCells(source, out);
}
