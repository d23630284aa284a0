import { sideOf, type Body } from './actions.ts';
import type { Image } from './image.ts';
import { directions } from './smear.ts';
import type { Step, Subject, Written } from './treatment-subject.ts';

/** Straight lines from the cells of an object, and copies of it in a line. */
export function notBlocked(end: End): boolean {
  return end !== 'blocked-at-once';
}

export type End = 'blocked-at-once' | 'met' | 'edge';

export function lines(
  subject: Subject,
  way: string,
  counts: (end: End) => boolean,
  stops: (cell: number) => boolean = isFilled,
  starts: StartsAt = () => true,
  most = Infinity,
): Written {
  const { source, scene, self } = subject;
  const { width, height, cells } = source;
  const places: number[] = [];
  const colours: number[] = [];
  const met: number[] = [];
  const passed: number[] = [];
  const { starts: cellsOf, steps } = startsOf(subject, way);
  const body = scene.bodies[self] as Body;
  for (const start of cellsOf) {
    for (const [dx, dy] of steps) {
      if (!starts(start, width, body, dx, dy)) continue;
      const line: number[] = [];
      let x = (start % width) + dx;
      let y = Math.floor(start / width) + dy;
      let end: End = 'edge';
      let last = 0;
      for (; line.length < most && x >= 0 && y >= 0 && x < width && y < height; x += dx, y += dy) {
        const place = y * width + x;
        if (scene.labels[place] === self) {
          end = 'blocked-at-once';
          break;
        }
        const cell = cells[place] as number;
        if (stops(cell)) {
          end = line.length === 0 ? 'blocked-at-once' : 'met';
          last = cell;
          break;
        }
        line.push(place);
      }
      // A cell with its own object before it is no end of the object: its line would run through the object.
      if (end === 'blocked-at-once' || !counts(end)) continue;
      let carried = cells[start] as number;
      for (const place of line) {
        places.push(place);
        colours.push(cells[start] as number);
        met.push(last);
        carried = (cells[place] as number) || carried;
        passed.push(carried);
      }
    }
  }
  return { places, colours, met, passed };
}

function isFilled(cell: number): boolean {
  return cell !== 0;
}

/** Whether a line may start at a cell of an object, seen along a step. */
type StartsAt = (cell: number, width: number, body: Body, dx: number, dy: number) => boolean;

/** Whether a cell is the corner of its object's box that a diagonal step leads out of. */
export function isAtCorner(cell: number, width: number, body: Body, dx: number, dy: number): boolean {
  const x = (cell % width) - body.left;
  const y = Math.floor(cell / width) - body.top;
  return x === (dx > 0 ? body.width - 1 : 0) && y === (dy > 0 ? body.height - 1 : 0);
}

/** Whether a cell stands in the middle of its object, seen along a step. */
export function isInMiddle(cell: number, width: number, body: Body, dx: number, dy: number): boolean {
  const isAcross = Math.abs(2 * ((cell % width) - body.left) - body.width + 1) <= 1;
  const isUpright = Math.abs(2 * (Math.floor(cell / width) - body.top) - body.height + 1) <= 1;
  return (dx !== 0 || isAcross) && (dy !== 0 || isUpright);
}

export function copies(subject: Subject, way: string, gap: number): Written {
  const { source, scene, self } = subject;
  const { width, height, cells } = source;
  const body = scene.bodies[self] as Body;
  const [step] = startsOf(subject, way).steps;
  const places: number[] = [];
  const colours: number[] = [];
  if (step === undefined) return { places, colours };
  const [dx, dy] = [step[0] * (body.width + gap), step[1] * (body.height + gap)];
  for (let times = 1; times <= Math.max(width, height); times++)
    for (const cell of body.cells) {
      const x = (cell % width) + dx * times;
      const y = Math.floor(cell / width) + dy * times;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      places.push(y * width + x);
      colours.push(cells[cell] as number);
    }
  return { places, colours };
}

/** The cells from which lines go, and where to. */
function startsOf(
  { source, scene, self }: Subject,
  way: string,
): { starts: readonly number[]; steps: readonly Step[] } {
  const body = scene.bodies[self] as Body;
  const { cells: own, colour } = body;
  const fixed = directions[way];
  if (fixed !== undefined) return { starts: own, steps: fixed };
  const step = sideOf(body, way);
  if (way === 'gap')
    return step === null
      ? { starts: [], steps: [] }
      : { starts: behindGap(source, body, step), steps: [step] };
  if (step === null) return { starts: [], steps: [] };
  const starts = way === 'nearest' ? own : own.filter((cell) => source.cells[cell] !== colour);
  return { starts, steps: [step] };
}

/** What stands behind the opening of an object's box: the first filled cells inward from where its border is empty. */
function behindGap(source: Image, body: Body, [dx, dy]: Step): number[] {
  const { left, top, width, height } = body;
  const own = new Set(body.cells);
  const starts: number[] = [];
  for (let i = 0; i < (dx === 0 ? width : height); i++) {
    let x = dx === 0 ? left + i : dx > 0 ? left + width - 1 : left;
    let y = dy === 0 ? top + i : dy > 0 ? top + height - 1 : top;
    if (own.has(y * source.width + x)) continue;
    while (source.cells[y * source.width + x] === 0) [x, y] = [x - dx, y - dy];
    starts.push(y * source.width + x);
  }
  return starts;
}

/**
 * Copies of an object, each so many times as far from it as another one is, to the edge: beyond that one, `march`, or both ways
 * in turn with copies of that one, `leapfrog`.
 */
export const marches = {
  march: (most: number) => Array.from({ length: most }, (_, i) => i + 2),
  leapfrog: (most: number) => Array.from({ length: most }, (_, i) => [2 * i + 2, -2 * i - 2]).flat(),
} as const;

export function marched(
  { source, scene, self }: Subject,
  to: Body | undefined,
  how: keyof typeof marches,
): Written {
  const { width, height, cells } = source;
  const body = scene.bodies[self] as Body;
  const places: number[] = [];
  const colours: number[] = [];
  if (to === undefined) return { places, colours };
  const [dx, dy] = [to.left - body.left, to.top - body.top];
  for (const times of marches[how](Math.max(width, height)))
    for (const cell of body.cells) {
      const x = (cell % width) + dx * times;
      const y = Math.floor(cell / width) + dy * times;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      places.push(y * width + x);
      colours.push(cells[cell] as number);
    }
  return { places, colours };
}
