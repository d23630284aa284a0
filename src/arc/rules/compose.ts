import { filledCount, fits, image, paintOver, type Image } from './image.ts';
import { join } from './motion.ts';
import { listToImage, overChoices, type Operation, type Variant } from './operation.ts';

/** List → image: painted over each other, lined up, or combined cell by cell. */
const cheap: readonly Variant[] = [{ args: {}, cost: 6 }];
const logics = ['and', 'or', 'xor', 'nor', 'first-not-second', 'second-not-first'] as const;

export const composeOperations: readonly Operation[] = [
  listToImage({
    name: 'compose',
    summary: 'paints the images at their places, later over earlier',
    parameters: {},
    search: cheap,
    make: () => compose,
  }),
  listToImage({
    name: 'compose_growing',
    summary: 'paints the images at their places, small over large',
    parameters: {},
    search: cheap,
    make: () => (sources) => compose(bySize(sources).reverse()),
  }),
  listToImage({
    name: 'overlay',
    summary: 'paints images of one size over each other, whatever their places',
    ...overChoices('order', ['later-on-top', 'earlier-on-top', 'small-on-top'], 6),
    make:
      ({ order }) =>
      (sources) => {
        const inOrder =
          order === 'later-on-top'
            ? sources
            : order === 'earlier-on-top'
              ? [...sources].reverse()
              : bySize(sources).reverse();
        return compose(inOrder.map(({ width, height, cells }) => image(0, 0, width, height, cells)));
      },
  }),
  listToImage({
    name: 'line_up',
    summary: 'puts the images in a row or a column, in order',
    ...overChoices('way', ['across', 'down'], 6),
    make:
      ({ way }) =>
      (sources) => {
        let line: Image | null = sources[0] as Image;
        for (const source of sources.slice(1))
          line = line === null ? null : join(line, source, way === 'across');
        return line;
      },
  }),
  listToImage({
    name: 'combine',
    summary: 'combines images of one size cell by cell by a logic of filled and empty',
    ...overChoices('logic', logics, 8),
    make:
      ({ logic }) =>
      (sources) =>
        combine(sources, logic),
  }),
];

function bySize(sources: readonly Image[]): Image[] {
  return sources
    .map((source, order) => ({ source, order, size: filledCount(source.cells) }))
    .sort((a, b) => a.size - b.size || a.order - b.order)
    .map(({ source }) => source);
}

function compose(sources: readonly Image[]): Image | null {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { x, y, width, height } of sources) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  if (!fits(right - left, bottom - top)) return null;
  const canvas = image(
    left,
    top,
    right - left,
    bottom - top,
    new Uint8Array((right - left) * (bottom - top)),
  );
  for (const source of sources) paintOver(canvas, canvas.cells, source);
  return canvas;
}

function combine(sources: readonly Image[], logic: string): Image | null {
  const first = sources[0] as Image;
  const others = sources.slice(1);
  if (others.length === 0 || (logic.includes('not') && others.length !== 1)) return null;
  if (others.some(({ width, height }) => width !== first.width || height !== first.height)) return null;
  const cells = first.cells.map((cell, i) => {
    const filled = sources.reduce((count, source) => count + (source.cells[i] === 0 ? 0 : 1), 0);
    const other = sources.find((source) => source.cells[i] !== 0)?.cells[i] ?? 0;
    switch (logic) {
      case 'and':
        return filled === sources.length ? other : 0;
      case 'or':
        return other;
      case 'xor':
        return filled === 1 ? other : 0;
      case 'nor':
        return filled === 0 ? 1 : 0;
      case 'first-not-second':
        return filled === 1 && cell !== 0 ? other : 0;
      default:
        return filled === 1 && cell === 0 ? other : 0;
    }
  });
  return image(0, 0, first.width, first.height, cells);
}
