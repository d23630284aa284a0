import { contentBox, cropTo, withCells, type Image } from './image.ts';
import { imageToImage, overChoices, type RuleOperation } from './operation.ts';

/** Continuation: extends a pattern to the opposite side by its smallest period. */
const sides = ['right', 'left', 'down', 'up'] as const;
type Side = (typeof sides)[number];

export const extendOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'extend',
    summary: 'continue the pattern to the {side} by its smallest period',
    ...overChoices('side', sides, 12),
    make:
      ({ side }) =>
      (source) =>
        extend(source, side),
  }),
];

function extend(source: Image, side: Side): Image | null {
  const box = contentBox(source);
  if (box === null) return null;
  const part = cropTo(source, ...box);
  const across = side === 'right' || side === 'left';
  const [start, length, whole] = across ? [box[0], box[2], source.width] : [box[1], box[3], source.height];
  const isForward = side === 'right' || side === 'down';
  if (isForward ? start + length === whole : start === 0) return null;
  const period = periodOf(part, across);
  const cells = source.cells.slice();
  for (let i = 0; i < cells.length; i++) {
    const x = i % source.width;
    const y = Math.floor(i / source.width);
    const along = (across ? x : y) - start;
    if (isForward ? along < length : along >= 0) continue;
    const from = isForward ? along % period : length - 1 - ((length - 1 - along) % period);
    if (from < 0 || from >= length) continue;
    const place = start + from;
    cells[i] = source.cells[across ? y * source.width + place : place * source.width + x] ?? 0;
  }
  return withCells(source, cells);
}

/** The smallest shift under which the part agrees with itself; if there is none, its length plus its widest inner gap. */
function periodOf(part: Image, across: boolean): number {
  const length = across ? part.width : part.height;
  for (let shift = 1; shift < length; shift++) if (agrees(part, across, shift)) return shift;
  return length + widestGap(part, across);
}

function agrees({ width, height, cells }: Image, across: boolean, shift: number): boolean {
  const offset = across ? shift : shift * width;
  for (let y = 0; y < height - (across ? 0 : shift); y++)
    for (let x = 0; x < width - (across ? shift : 0); x++)
      if (cells[y * width + x] !== cells[y * width + x + offset]) return false;
  return true;
}

function widestGap({ width, height, cells }: Image, across: boolean): number {
  let widest = 0;
  let run = 0;
  for (let line = 0; line < (across ? width : height); line++) {
    let filled = false;
    for (let i = 0; i < (across ? height : width); i++)
      if (cells[across ? i * width + line : line * width + i] !== 0) filled = true;
    run = filled ? 0 : run + 1;
    widest = Math.max(widest, run);
  }
  return widest;
}
