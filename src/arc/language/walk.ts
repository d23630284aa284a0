import { definite } from '../../core/errors.ts';
import { image, type Image } from './image.ts';
import { imageToImage, nonZeroColours, type RuleOperation, type Variant } from './operation.ts';

/**
 * Walks: every cell of a colour goes one way over empty cells and paints them. At an obstacle the walk ends, turns, passes it on one
 * side, or bounces: a diagonal walk off the side walls alone, or off top and bottom alone.
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
const ways = Object.keys(steps);
const meetings = [
  'stop',
  'turn-right',
  'turn-left',
  'pass-right',
  'pass-left',
  'bounce-across',
  'bounce-upright',
] as const;
type Meeting = (typeof meetings)[number];
type Step = readonly [dx: number, dy: number];

/** Dear enough that nothing is tried on a walk: it is a last step, or a piece of a stack. */
const searchCost = 26;

/** A walk that turns or bounces ends after this many cells; no straight one is longer than a grid. */
const longest = 240;

/** What the search tries: turns only of straight walks, and gaps and other colours only of plain ones. */
function variants(): Variant[] {
  const straight = new Set(['right', 'left', 'down', 'up']);
  const own = ways.flatMap((way) =>
    meetings
      .filter((meeting) => meeting === 'stop' || straight.has(way) === /turn|pass/.test(meeting))
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

export const walkOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'walk',
    summary:
      'draw the path of the cells of colour {colour}: go {way}, {meeting} at what stands in the way, gap {gap}, painted in colour {paint}',
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
  const step = definite(steps[way]);
  const starts = [...source.cells.keys()].filter((start) => source.cells[start] === colour);
  for (const start of starts) painted[start] = colour;
  for (const start of starts)
    for (const [count, place] of wayFrom(source, start, step, meeting).entries()) {
      if ((count + 1) % (gap + 1) !== 0) continue;
      painted[place] = paint === 0 ? colour : paint;
      walked = true;
    }
  return walked ? image(source.x, source.y, source.width, source.height, painted) : null;
}

const outside = 10;

function cellAt({ width, height, cells }: Image, x: number, y: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? outside : (cells[y * width + x] ?? 0);
}

/** The cells of one walk in order. A walk that cannot begin does not turn, but a diagonal one at the wall bounces at once. */
function wayFrom(source: Image, start: number, first: Step, meeting: Meeting): number[] {
  let x = start % source.width;
  let y = Math.floor(start / source.width);
  let [dx, dy] = first;
  const cells: number[] = [];
  while (cells.length < longest) {
    let step: Step = [dx, dy];
    if (!isFree(source, x + dx, y + dy)) {
      const begins = cells.length > 0 || meeting.startsWith('bounce');
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

/** The step after an obstacle, or null where the walk ends. Only bounces go on at the edge of the grid. */
function afterMeeting(source: Image, x: number, y: number, [dx, dy]: Step, meeting: Meeting): Step | null {
  const atEdge = cellAt(source, x + dx, y + dy) === outside;
  if (meeting === 'stop' || (atEdge && !meeting.startsWith('bounce'))) return null;
  const next = turnedStep(source, x, y, [dx, dy], meeting);
  return next === null || !isFree(source, x + next[0], y + next[1]) ? null : next;
}

function turnedStep(source: Image, x: number, y: number, [dx, dy]: Step, meeting: Meeting): Step | null {
  if (meeting === 'bounce-across') return isFree(source, x, y + dy) ? [-dx || 0, dy] : null;
  if (meeting === 'bounce-upright') return isFree(source, x + dx, y) ? [dx, -dy || 0] : null;
  return meeting.endsWith('right') ? [-dy || 0, dx] : [dy, -dx || 0];
}

function isFree(source: Image, x: number, y: number): boolean {
  return cellAt(source, x, y) === 0;
}
