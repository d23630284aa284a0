import { definite } from '../../core/errors.ts';
import { objectsIn } from '../grid/objects.ts';
import { image, type Image } from './image.ts';
import { imageToImage, nonZeroColours, type RuleOperation, type Variant } from './operation.ts';

/**
 * Walks: every cell of a colour moves in one direction over empty cells and paints them; `line` continues both ends of straight
 * lines. At an obstacle the walk ends, turns, passes it on one side, or bounces: a diagonal walk only off the side walls, only
 * off top and bottom, or off obstacles but not off the edge.
 */
const steps: Readonly<Record<string, Step>> = {
  right: [1, 0],
  left: [-1, 0],
  down: [0, 1],
  up: [0, -1],
  'down-right': [1, 1],
  'down-left': [-1, 1],
  'up-right': [1, -1],
  'up-left': [-1, -1],
};
const ways = [...Object.keys(steps), 'line'];
const meetings = [
  'stop',
  'turn-right',
  'turn-left',
  'pass-right',
  'pass-left',
  'bounce-across',
  'bounce-upright',
  'rebound',
] as const;
type Meeting = (typeof meetings)[number];
type Step = readonly [dx: number, dy: number];

/** High enough that no step follows a walk: it is the last step, or a piece of a stack. */
const searchCost = 26;

/** Maximum number of cells of a walk that turns or bounces; no straight one is longer than a grid. */
const longest = 240;

/** Variants for the search: turns only for straight walks, gaps and other colours only for plain ones. */
function variants(): Variant[] {
  const straight = new Set(['right', 'left', 'down', 'up']);
  const own = ways.flatMap((way) =>
    meetings
      .filter((meeting) => isTried(way, meeting, straight.has(way)))
      .map((meeting) => ({ way, meeting, gap: 0, paint: 0 })),
  );
  const dotted = ways.map((way) => ({ way, meeting: 'stop', gap: 1, paint: 0 }));
  const other = nonZeroColours.flatMap((paint) =>
    own.filter(({ meeting }) => !meeting.startsWith('pass')).map((one) => ({ ...one, paint })),
  );
  return [...own, ...dotted, ...other].flatMap((args) =>
    nonZeroColours.map((colour): Variant => ({ args: { ...args, colour }, cost: searchCost })),
  );
}

function isTried(way: string, meeting: Meeting, isStraight: boolean): boolean {
  if (way === 'line') return !/pass|bounce/.test(meeting);
  return meeting === 'stop' || isStraight === /turn|pass/.test(meeting);
}

export const walkOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'walk',
    summary:
      'draw the path of the cells of colour {colour}: go {way}, {meeting} at obstacles, gap {gap}, painted in colour {paint}',
    parameters: {
      colour: { kind: 'colour', seen: 'input' },
      way: { kind: 'choice', of: ways },
      meeting: { kind: 'choice', of: meetings },
      gap: { kind: 'integer', from: 0, to: 2 },
      paint: { kind: 'colour', seen: 'made' },
    },
    search: variants(),
    price: ({ meeting, gap, paint }) => 12 + (meeting === 'stop' ? 0 : 3) + (gap + paint === 0 ? 0 : 3),
    rootOnly: true,
    make: (args) => (source) => walks(source, args),
  }),
];

interface Walk {
  readonly colour: number;
  readonly way: string;
  readonly meeting: Meeting;
  readonly gap: number;
  readonly paint: number;
}

function walks(source: Image, { colour, way, meeting, gap, paint }: Walk): Image | null {
  const painted = new Uint8Array(source.cells.length);
  let walked = false;
  for (const [start, cell] of source.cells.entries()) if (cell === colour) painted[start] = colour;
  for (const [start, step] of startsOf(source, colour, way))
    for (const [count, place] of wayFrom(source, start, step, meeting).entries()) {
      if ((count + 1) % (gap + 1) !== 0) continue;
      painted[place] = paint === 0 ? colour : paint;
      walked = true;
    }
  return walked ? image(source.x, source.y, source.width, source.height, painted) : null;
}

/** Where walks begin, and their first direction. */
function startsOf(source: Image, colour: number, way: string): [start: number, step: Step][] {
  if (way === 'line') return lineEnds(source, colour);
  const step = definite(steps[way]);
  const starts = [...source.cells.keys()].filter((start) => source.cells[start] === colour);
  return starts.map((start) => [start, step]);
}

/** Both ends of every object of a colour that is a straight line, with the steps that lead on. */
function lineEnds(source: Image, colour: number): [start: number, step: Step][] {
  const alone = source.cells.map((cell) => (cell === colour ? colour : 0));
  const { labels, count } = objectsIn({ width: source.width, height: source.height, cells: alone }, 'blob');
  const members = Array.from({ length: count }, (): number[] => []);
  for (const [place, label] of labels.entries()) members[label]?.push(place);
  return members.flatMap((places): [number, Step][] => {
    const [first = 0, second, last = 0] = [places[0], places[1], places.at(-1)];
    if (second === undefined) return [];
    const apart = second - first;
    const dx = (second % source.width) - (first % source.width);
    const dy = Math.floor(second / source.width) - Math.floor(first / source.width);
    if (places.some((place, i) => place !== first + i * apart)) return [];
    return [
      [first, [-dx || 0, -dy || 0]],
      [last, [dx, dy]],
    ];
  });
}

const outside = 10;

function cellAt({ width, height, cells }: Image, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? outside : (cells[y * width + x] ?? 0);
}

/**
 * The cells of one walk in order. A walk that cannot start does not turn, but a diagonal one at the wall bounces immediately.
 */
function wayFrom(source: Image, start: number, first: Step, meeting: Meeting): number[] {
  let x = start % source.width;
  let y = Math.floor(start / source.width);
  let [dx, dy] = first;
  const cells: number[] = [];
  while (cells.length < longest) {
    let step: Step = [dx, dy];
    if (!isFree(source, x + dx, y + dy)) {
      const begins = cells.length > 0 || (/bounce|rebound/.test(meeting) && dx !== 0 && dy !== 0);
      const turned = begins ? afterMeeting(source, x, y, step, meeting) : null;
      if (turned === null) break;
      step = turned;
      if (!meeting.startsWith('pass')) [dx, dy] = turned;
    }
    x += step[0];
    y += step[1];
    cells.push(y * source.width + x);
  }
  return cells;
}

/** The step after an obstacle, or null if the walk ends. Only bounces continue at the edge of the grid. */
function afterMeeting(source: Image, x: number, y: number, [dx, dy]: Step, meeting: Meeting): Step | null {
  const atEdge = cellAt(source, x + dx, y + dy) === outside;
  if (meeting === 'stop' || (atEdge && !meeting.startsWith('bounce'))) return null;
  const next = turnedStep(source, x, y, [dx, dy], meeting);
  return next === null || !isFree(source, x + next[0], y + next[1]) ? null : next;
}

function turnedStep(source: Image, x: number, y: number, [dx, dy]: Step, meeting: Meeting): Step | null {
  if (meeting === 'bounce-across') return isFree(source, x, y + dy) ? [-dx || 0, dy] : null;
  if (meeting === 'bounce-upright') return isFree(source, x + dx, y) ? [dx, -dy || 0] : null;
  if (meeting.endsWith('right')) return [-dy || 0, dx];
  if (meeting.endsWith('left')) return [dy, -dx || 0];
  return bounced(source, x, y, [dx, dy]);
}

function isFree(source: Image, x: number, y: number): boolean {
  return cellAt(source, x, y) === 0;
}

/** A diagonal walk continues along the wall; a straight one turns back. */
function bounced(source: Image, x: number, y: number, [dx, dy]: Step): Step {
  const free = (stepX: number, stepY: number): boolean => isFree(source, x + stepX, y + stepY);
  if (dx !== 0 && dy !== 0) {
    if (!free(dx, 0) && free(-dx, dy)) return [-dx, dy];
    if (!free(0, dy) && free(dx, -dy)) return [dx, -dy];
  }
  return [-dx || 0, -dy || 0];
}
