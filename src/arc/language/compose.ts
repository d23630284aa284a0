import { definite } from '../../core/errors.ts';
import { fits, image, paintOver, rectangle, type Image } from './image.ts';
import { listToImage, overChoices, variantsOver, type RuleOperation, type Variant } from './operation.ts';

/** List → image: painted over each other, lined up, or combined cell by cell. */
const lineWays = ['across', 'down', 'across-bottom', 'down-left', 'across-top', 'down-right'] as const;
type LineWay = (typeof lineWays)[number];
const logics = ['and', 'xor'] as const;
const cheap: readonly Variant[] = [{ args: {}, cost: 6 }];

export const composeOperations: readonly RuleOperation[] = [
  listToImage({
    name: 'compose',
    summary: 'paint the images at their places, later over earlier',
    parameters: {},
    search: cheap,
    make: () => compose,
  }),
  listToImage({
    name: 'overlay',
    summary: 'paint the images over each other, {order}',
    ...overChoices('order', ['later-on-top', 'earlier-on-top'], 6),
    make:
      ({ order }) =>
      (sources) => {
        const inOrder = order === 'later-on-top' ? sources : [...sources].reverse();
        return compose(inOrder.map(({ width, height, cells }) => image(0, 0, width, height, cells)));
      },
  }),
  listToImage({
    name: 'line_up',
    summary: 'line the images up, {way}',
    parameters: { way: { kind: 'choice', of: lineWays } },
    // the other two base lines give images of the same sizes
    search: variantsOver('way', lineWays.slice(0, 4), 6),
    price: () => 6,
    make:
      ({ way }) =>
      (sources) =>
        lineUp(sources, way),
  }),
  listToImage({
    name: 'combine',
    summary: 'combine the images cell by cell: filled {logic} filled',
    ...overChoices('logic', logics, 8),
    make:
      ({ logic }) =>
      (sources) =>
        combine(sources, logic),
  }),
];

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

/** Without a base line, all images must have the same height, or width. */
function lineUp(sources: readonly Image[], way: LineWay): Image | null {
  const isAcross = way.startsWith('across');
  const thickness = sources.map(({ width, height }) => (isAcross ? height : width));
  const thickest = Math.max(...thickness);
  if ((way === 'across' || way === 'down') && Math.min(...thickness) < thickest) return null;
  const length = sources.reduce((sum, { width, height }) => sum + (isAcross ? width : height), 0);
  const line = rectangle(0, 0, isAcross ? length : thickest, isAcross ? thickest : length, 0);
  if (line === null) return null;
  let from = 0;
  for (const [i, source] of sources.entries()) {
    const lift = way === 'across-bottom' || way === 'down-right' ? thickest - (thickness[i] ?? 0) : 0;
    paintOver(line, line.cells, { ...source, x: isAcross ? from : lift, y: isAcross ? lift : from });
    from += isAcross ? source.width : source.height;
  }
  const first = definite(sources[0]);
  return { ...line, x: first.x, y: first.y };
}

function combine(sources: readonly Image[], logic: (typeof logics)[number]): Image | null {
  const first = definite(sources[0]);
  const others = sources.slice(1);
  if (others.length === 0) return null;
  if (others.some(({ width, height }) => width !== first.width || height !== first.height)) return null;
  const cells = first.cells.map((_, i) => {
    const filled = sources.filter((source) => source.cells[i] !== 0);
    const holds = logic === 'and' ? filled.length === sources.length : filled.length === 1;
    return holds ? (filled[0]?.cells[i] ?? 0) : 0;
  });
  return image(0, 0, first.width, first.height, cells);
}
