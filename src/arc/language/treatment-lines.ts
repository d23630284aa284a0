import { definite } from '../../core/errors.ts';
import type { MovingBody } from './actions.ts';
import { directions } from './smear.ts';
import type { Subject, WrittenTreatment } from './treatment-subject.ts';

/** Straight lines from the cells of an object. */
export function notBlocked(end: End): boolean {
  return end !== 'blocked-at-once';
}

export type End = 'blocked-at-once' | 'met' | 'edge';

/** Where lines end and start, and how long they get; without these, at filled cells, everywhere and as far as they come. */
interface LineLimits {
  readonly stops?: (cell: number) => boolean;
  readonly starts?: StartsAt;
  readonly most?: number;
}

export function treatmentLines(
  subject: Subject,
  way: string,
  counts: (end: End) => boolean,
  { stops = isFilled, starts = () => true, most = Infinity }: LineLimits = {},
): WrittenTreatment {
  const { source, scene, self } = subject;
  const { width, height, cells } = source;
  const places: number[] = [];
  const colours: number[] = [];
  const met: number[] = [];
  const steps = directions[way] ?? [];
  const body = definite(scene.bodies[self]);
  for (const start of body.cells) {
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
        const cell = cells[place] ?? 0;
        if (stops(cell)) {
          end = line.length === 0 ? 'blocked-at-once' : 'met';
          last = cell;
          break;
        }
        line.push(place);
      }
      // A cell with its own object before it is no end of the object: its line would run through the object.
      if (end === 'blocked-at-once' || !counts(end)) continue;
      for (const place of line) {
        places.push(place);
        colours.push(cells[start] ?? 0);
        met.push(last);
      }
    }
  }
  return { places, colours, met };
}

function isFilled(cell: number): boolean {
  return cell !== 0;
}

/** Whether a line may start at a cell of an object, seen along a step. */
type StartsAt = (cell: number, width: number, body: MovingBody, dx: number, dy: number) => boolean;

/** Whether a cell is the corner of its object's box that a diagonal step leads out of. */
export function isAtCorner(cell: number, width: number, body: MovingBody, dx: number, dy: number): boolean {
  const x = (cell % width) - body.left;
  const y = Math.floor(cell / width) - body.top;
  return x === (dx > 0 ? body.width - 1 : 0) && y === (dy > 0 ? body.height - 1 : 0);
}

/** Whether a cell is in the middle of its object, seen along a step. */
export function isInMiddle(cell: number, width: number, body: MovingBody, dx: number, dy: number): boolean {
  const isAcross = Math.abs(2 * ((cell % width) - body.left) - body.width + 1) <= 1;
  const isUpright = Math.abs(2 * (Math.floor(cell / width) - body.top) - body.height + 1) <= 1;
  return (dx !== 0 || isAcross) && (dy !== 0 || isUpright);
}
