import { motions, moveGrid, type Motion } from '../grid/grid.ts';
import { contentBox, distinctColours, fits, image, type Image } from './image.ts';
import { imageToImage, alone, overChoices, variantsOver, type RuleOperation } from './operation.ts';

/** Rigid motions, and copies of an image placed side by side or at every cell. */
const moving = motions.filter((motion) => motion !== 'identity');

const enlargements = ['2', '3', '4', '5', 'colours'] as const;

export const motionOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'move',
    summary: 'turn or flip the image ({motion})',
    ...overChoices('motion', moving),
    make:
      ({ motion }) =>
      (source) =>
        turned(source, motion),
  }),
  imageToImage({
    name: 'mirror_on',
    summary: 'join the image and its mirror image, which goes {side}',
    ...overChoices('side', ['right', 'left', 'below', 'above'], 12),
    make: ({ side }) => {
      const across = side === 'right' || side === 'left';
      const motion = across ? 'flip-left-right' : 'flip-top-bottom';
      return (source) => {
        const flipped = turned(source, motion);
        return side === 'right' || side === 'below'
          ? join(source, flipped, across)
          : join(flipped, source, across);
      };
    },
  }),
  imageToImage({
    name: 'enlarge',
    summary: 'make every cell a square block, its side given by {by}',
    parameters: { by: { kind: 'choice', of: enlargements } },
    search: variantsOver('by', ['2', '3', 'colours'], 14),
    make:
      ({ by }) =>
      (source) =>
        enlarge(source, by === 'colours' ? distinctColours(source.cells) : Number(by)),
  }),
  imageToImage({
    name: 'shrink',
    summary: 'undo a magnification: keep one cell of each block',
    ...alone(),
    make: () => (source) => shrink(source),
  }),
];

export function turned(source: Image, motion: Motion): Image {
  const moved = moveGrid(source, motion);
  return image(source.x, source.y, moved.width, moved.height, moved.cells);
}

/** Joins two images of equal height side by side, or of equal width one below the other. */
function join(first: Image, second: Image, across: boolean): Image | null {
  if (across ? first.height !== second.height : first.width !== second.width) return null;
  const width = across ? first.width + second.width : first.width;
  const height = across ? first.height : first.height + second.height;
  if (!fits(width, height)) return null;
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < first.height; y++)
    cells.set(first.cells.subarray(y * first.width, (y + 1) * first.width), y * width);
  const right = across ? first.width : 0;
  const below = across ? 0 : first.height;
  for (let y = 0; y < second.height; y++)
    cells.set(second.cells.subarray(y * second.width, (y + 1) * second.width), (y + below) * width + right);
  return image(first.x, first.y, width, height, cells);
}

export function enlarge(source: Image, times: number): Image | null {
  const width = source.width * times;
  const height = source.height * times;
  if (times < 2 || !fits(width, height)) return null;
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / times) * source.width;
    for (let x = 0; x < width; x++) cells[y * width + x] = source.cells[row + Math.floor(x / times)] ?? 0;
  }
  return image(source.x, source.y, width, height, cells);
}

function shrink(source: Image): Image | null {
  const box = contentBox(source);
  if (box === null) return null;
  const { width, height, cells } = source;
  for (let block = Math.min(width, height); block >= 2; block--) {
    if (width % block !== 0 || height % block !== 0 || !evenBlocks(source, block)) continue;
    const out = new Uint8Array(cells.length / (block * block));
    for (let i = 0, y = 0; y < height; y += block)
      for (let x = 0; x < width; x += block) out[i++] = cells[y * width + x] ?? 0;
    return image(source.x, source.y, width / block, height / block, out);
  }
  return null;
}

function evenBlocks({ width, height, cells }: Image, block: number): boolean {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (cells[y * width + x] !== cells[(y - (y % block)) * width + x - (x % block)]) return false;
  return true;
}
