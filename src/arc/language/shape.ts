import { fits, image, mainColour, withCells, type Image } from './image.ts';
import { imageToImage, alone, overColours, type RuleOperation } from './operation.ts';

/** Shapes as areas: inside, outline, ring. */
export const shapeOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'hull',
    summary: 'fill the whole rectangle with the main colour',
    ...alone(),
    make: () => (source) =>
      withCells(source, new Uint8Array(source.cells.length).fill(mainColour(source.cells))),
  }),
  imageToImage({
    name: 'outline',
    summary: 'paint only the empty cells around filled ones, in colour {colour}',
    ...overColours('output', 10, 12),
    make:
      ({ colour }) =>
      (source) =>
        around(source, colour === 0 ? mainColour(source.cells) : colour),
  }),
  imageToImage({
    name: 'ring',
    summary: 'add a ring of colour {colour} around the image',
    ...overColours('output', 12, 12),
    make:
      ({ colour }) =>
      (source) =>
        padded(source, colour === 0 ? mainColour(source.cells) : colour),
  }),
];

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

function padded(source: Image, colour: number): Image | null {
  const width = source.width + 2;
  const height = source.height + 2;
  if (!fits(width, height)) return null;
  const cells = new Uint8Array(width * height).fill(colour);
  for (let y = 0; y < source.height; y++)
    cells.set(source.cells.subarray(y * source.width, (y + 1) * source.width), (y + 1) * width + 1);
  return image(source.x - 1, source.y - 1, width, height, cells);
}
