import { definite } from '../../core/errors.ts';
import type { MovingBody } from './actions.ts';
import { directions } from './smear.ts';
import type { Subject, WrittenTreatment } from './treatment-subject.ts';

/** Where lines start and how long they are; by default, from every cell to the next filled cell or the edge. */
interface LineLimits {
  readonly isOverAll?: boolean;
  readonly starts?: StartsAt;
  readonly most?: number;
}

/** Straight lines from the cells of an object. */
export function treatmentLines(
  { source, scene, self }: Subject,
  way: string,
  { isOverAll = false, starts = () => true, most = Infinity }: LineLimits = {},
): WrittenTreatment {
  const { width, height, cells } = source;
  const places: number[] = [];
  const colours: number[] = [];
  const body = definite(scene.bodies[self]);
  for (const start of body.cells)
    for (const [dx, dy] of definite(directions[way])) {
      if (!starts(start, width, body, dx, dy)) continue;
      const line: number[] = [];
      let isThroughItself = false;
      let x = (start % width) + dx;
      let y = Math.floor(start / width) + dy;
      for (; line.length < most && x >= 0 && y >= 0 && x < width && y < height; x += dx, y += dy) {
        const place = y * width + x;
        isThroughItself = scene.labels[place] === self;
        if (isThroughItself || (!isOverAll && cells[place] !== 0)) break;
        line.push(place);
      }
      // a line from this cell would run through its own object
      if (isThroughItself) continue;
      places.push(...line);
      colours.push(...line.map(() => definite(cells[start])));
    }
  return { places, colours };
}

/** Whether a line may start at a cell of an object, seen along a step. */
type StartsAt = (cell: number, width: number, body: MovingBody, dx: number, dy: number) => boolean;

/** Whether a cell is the corner of its object's box through which a diagonal step leaves it. */
export function isAtCorner(cell: number, width: number, body: MovingBody, dx: number, dy: number): boolean {
  const x = (cell % width) - body.left;
  const y = Math.floor(cell / width) - body.top;
  return x === (dx > 0 ? body.width - 1 : 0) && y === (dy > 0 ? body.height - 1 : 0);
}
