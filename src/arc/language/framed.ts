import { findWalls } from '../grid/facts/panels.ts';
import { image, paintOver, type Image } from './image.ts';
import { imageToImage, alone, variantsOver, type ImageToImage, type RuleOperation } from './operation.ts';
import { remembered } from './remember.ts';

/** Operations with a frame: they bring an image to the size of the frame. */
export const framedOperations: readonly RuleOperation[] = [
  framed('embed', 'paste the image at its place on an empty frame', (source, frame) => {
    const cells = new Uint8Array(frame.cells.length);
    paintOver(frame, cells, source);
    return image(0, 0, frame.width, frame.height, cells);
  }),
  framed('broadcast', 'stretch the image over the frame', (source, frame) => {
    if (source.width === frame.width && source.height === frame.height) return null;
    const cells = new Uint8Array(frame.cells.length);
    for (let y = 0; y < frame.height; y++) {
      const row = Math.floor((y * source.height) / frame.height) * source.width;
      for (let x = 0; x < frame.width; x++)
        cells[y * frame.width + x] = source.cells[row + Math.floor((x * source.width) / frame.width)] ?? 0;
    }
    return image(0, 0, frame.width, frame.height, cells);
  }),
  imageToImage({
    name: 'repeat',
    summary: 'tile the frame with the image, gap {gap}',
    parameters: { gap: { kind: 'integer', from: 0, to: 2 } },
    framed: true,
    search: variantsOver('gap', [0, 1]),
    make: ({ gap }) => tiling(gap, false),
  }),
  imageToImage({
    name: 'mirror',
    summary: 'tile the frame with the image and its mirror images in turn, gap {gap}',
    parameters: { gap: { kind: 'integer', from: 0, to: 2 } },
    framed: true,
    search: variantsOver('gap', [0, 1]),
    make: ({ gap }) => tiling(gap, true),
  }),
  framed(
    'continue',
    'continue the pattern of the image over the frame by its smallest period',
    (source, frame) => {
      const stepX = shiftAcross(source, 1, 0);
      const stepY = shiftAcross(source, 0, 1);
      if (stepX === source.width && stepY === source.height) return null;
      const cells = new Uint8Array(frame.cells.length);
      for (let y = 0; y < frame.height; y++)
        for (let x = 0; x < frame.width; x++)
          cells[y * frame.width + x] = source.cells[(y % stepY) * source.width + (x % stepX)] ?? 0;
      return image(0, 0, frame.width, frame.height, cells);
    },
  ),
  framed(
    'into_panels',
    'paint every panel of the frame in the colour of the cell that stands for it, where there are as many cells',
    (source, frame) => {
      const found = remembered(frame, 'walls', () => findWalls(frame));
      if (found === null) return null;
      const columns = new Set(found.panels.map(({ left }) => left)).size;
      if (source.width !== columns || source.height * columns !== found.panels.length) return null;
      const cells = frame.cells.slice();
      for (const [i, { left, top, width, height }] of found.panels.entries())
        for (let y = top; y < top + height; y++)
          cells.fill(source.cells[i] ?? 0, y * frame.width + left, y * frame.width + left + width);
      return image(0, 0, frame.width, frame.height, cells);
    },
  ),
];

/** The smallest shift along an axis under which the image agrees with itself, on at least two lines; else its length. */
function shiftAcross({ width, height, cells }: Image, alongX: 0 | 1, alongY: 0 | 1): number {
  const length = alongX === 1 ? width : height;
  for (let shift = 1; shift <= length - 2; shift++) {
    let agrees = true;
    for (let y = shift * alongY; y < height && agrees; y++)
      for (let x = shift * alongX; x < width && agrees; x++)
        agrees = cells[y * width + x] === cells[(y - shift * alongY) * width + x - shift * alongX];
    if (agrees) return shift;
  }
  return length;
}

function framed(
  name: string,
  summary: string,
  apply: (source: Image, frame: Image) => Image | null,
): RuleOperation {
  return imageToImage({
    name,
    summary,
    ...alone(10),
    framed: true,
    make: () => inFrame(apply),
  });
}

function inFrame(apply: (source: Image, frame: Image) => Image | null): ImageToImage {
  return (source, scene) => (scene.frame === null ? null : apply(source, scene.frame));
}

/** An image's position on the input has no meaning in a frame of another size, so there it starts at the corner. */
function tiling(gap: number, mirrored: boolean): ImageToImage {
  return (source, { frame, input }) => {
    if (frame === null) return null;
    const isPlaced = frame.width === input.width && frame.height === input.height;
    return tile(isPlaced ? source : { ...source, x: 0, y: 0 }, frame, gap, mirrored);
  };
}

function tile(source: Image, frame: Image, gap: number, mirrored: boolean): Image {
  const stepX = source.width + gap;
  const stepY = source.height + gap;
  const cells = new Uint8Array(frame.cells.length);
  for (let y = 0; y < frame.height; y++) {
    const tileY = Math.floor((y - source.y) / stepY);
    let row = y - source.y - tileY * stepY;
    if (row >= source.height) continue;
    if (mirrored && tileY % 2 !== 0) row = source.height - 1 - row;
    for (let x = 0; x < frame.width; x++) {
      const tileX = Math.floor((x - source.x) / stepX);
      let column = x - source.x - tileX * stepX;
      if (column >= source.width) continue;
      if (mirrored && tileX % 2 !== 0) column = source.width - 1 - column;
      cells[y * frame.width + x] = source.cells[row * source.width + column] ?? 0;
    }
  }
  return image(0, 0, frame.width, frame.height, cells);
}
