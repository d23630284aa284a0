import { componentSizes, enclosed, objectsIn } from '../objects.ts';
import { contentBox, fits, image, mainColour, withCells, type Image } from './image.ts';
import { imageToImage, alone, overChoices, overColours, type Operation } from './operation.ts';

/** Shapes as areas: hull, holes, inside, edge, outline. */
export const shapeOperations: readonly Operation[] = [
  imageToImage({
    name: 'hull',
    summary: 'fills the whole rectangle with the main colour',
    ...alone(),
    make: () => (source) =>
      withCells(source, new Uint8Array(source.cells.length).fill(mainColour(source.cells))),
  }),
  imageToImage({
    name: 'box',
    summary: 'fills the rectangle around the filled cells with the main colour',
    ...alone(),
    make: () => (source) => {
      const box = contentBox(source);
      if (box === null) return null;
      const [left, top, width, height] = box;
      const cells = new Uint8Array(source.cells.length);
      const colour = mainColour(source.cells);
      for (let y = top; y < top + height; y++)
        cells.fill(colour, y * source.width + left, y * source.width + left + width);
      return withCells(source, cells);
    },
  }),
  imageToImage({
    name: 'fill',
    summary: 'fills the holes with the main colour',
    ...alone(),
    make: () => (source) => {
      const inside = enclosed(source.cells, source.width, source.height, 4);
      const colour = mainColour(source.cells);
      const cells = source.cells.slice();
      for (let i = 0; i < cells.length; i++) if (inside[i] === 1) cells[i] = colour;
      return withCells(source, cells);
    },
  }),
  imageToImage({
    name: 'holes',
    summary: 'keeps only the holes, in the main colour',
    ...overChoices('reach', ['4', '8']),
    make:
      ({ reach }) =>
      (source) => {
        const inside = enclosed(source.cells, source.width, source.height, reach === '4' ? 4 : 8);
        const colour = mainColour(source.cells);
        for (let i = 0; i < inside.length; i++) if (inside[i] === 1) inside[i] = colour;
        return withCells(source, inside);
      },
  }),
  imageToImage({
    name: 'inside',
    summary: 'keeps filled cells whose neighbours are all filled',
    ...alone(),
    make: () => (source) => byDepth(source, false),
  }),
  imageToImage({
    name: 'edge',
    summary: 'keeps filled cells that touch an empty cell or the end of the image',
    ...alone(),
    make: () => (source) => byDepth(source, true),
  }),
  imageToImage({
    name: 'outline',
    summary: 'paints the empty cells around filled ones, and nothing else; 0: in the main colour',
    ...overColours('output', 10, 12),
    make:
      ({ colour }) =>
      (source) =>
        around(source, colour === 0 ? mainColour(source.cells) : colour),
  }),
  imageToImage({
    name: 'ring',
    summary: 'adds a ring of a colour around the image; 0: of the main colour',
    ...overColours('output', 12, 12),
    make:
      ({ colour }) =>
      (source) =>
        padded(source, 1, colour === 0 ? mainColour(source.cells) : colour),
  }),
  imageToImage({
    name: 'pad',
    summary: 'adds an empty ring around the image',
    ...alone(14),
    make: () => (source) => padded(source, 1, 0),
  }),
  imageToImage({
    name: 'middle',
    summary: 'keeps the one, two or four cells in the middle',
    ...alone(12),
    make: () => (source) => {
      const { width, height, cells } = source;
      const out = new Uint8Array(cells.length);
      for (let y = (height - 1) >> 1; y <= height >> 1; y++)
        for (let x = (width - 1) >> 1; x <= width >> 1; x++)
          out[y * width + x] = cells[y * width + x] as number;
      return withCells(source, out);
    },
  }),
  imageToImage({
    name: 'corners',
    summary: 'keeps the four corner cells',
    ...alone(14),
    make: () => (source) => {
      const { width, height, cells } = source;
      const out = new Uint8Array(cells.length);
      for (const i of [0, width - 1, (height - 1) * width, height * width - 1]) out[i] = cells[i] as number;
      return withCells(source, out);
    },
  }),
  imageToImage({
    name: 'drop_specks',
    summary: 'drops filled cells that stand alone',
    ...alone(12),
    make: () => (source) => {
      const found = objectsIn(source, 'piece');
      const sizes = componentSizes(found);
      const cells = source.cells.slice();
      for (let i = 0; i < cells.length; i++)
        if (cells[i] !== 0 && sizes[found.labels[i] as number] === 1) cells[i] = 0;
      return withCells(source, cells);
    },
  }),
];

function byDepth(source: Image, edge: boolean): Image {
  const { width, height, cells } = source;
  const out = new Uint8Array(cells.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = cells[y * width + x] as number;
      if (cell !== 0 && touchesEmpty(source, x, y) === edge) out[y * width + x] = cell;
    }
  }
  return withCells(source, out);
}

function touchesEmpty({ width, height, cells }: Image, x: number, y: number): boolean {
  if (x === 0 || y === 0 || x === width - 1 || y === height - 1) return true;
  for (let dy = -width; dy <= width; dy += width)
    for (let dx = -1; dx <= 1; dx++) if (cells[y * width + x + dy + dx] === 0) return true;
  return false;
}

function around(source: Image, colour: number): Image {
  const { width, height, cells } = source;
  const out = new Uint8Array(cells.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (cells[y * width + x] === 0) continue;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++)
          if (cells[ny * width + nx] === 0) out[ny * width + nx] = colour;
    }
  }
  return withCells(source, out);
}

function padded(source: Image, by: number, colour: number): Image | null {
  const width = source.width + 2 * by;
  const height = source.height + 2 * by;
  if (!fits(width, height)) return null;
  const cells = new Uint8Array(width * height).fill(colour);
  for (let y = 0; y < source.height; y++)
    cells.set(source.cells.subarray(y * source.width, (y + 1) * source.width), (y + by) * width + by);
  return image(source.x - by, source.y - by, width, height, cells);
}
