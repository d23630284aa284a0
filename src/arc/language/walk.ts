import { definite, notNull } from '../../core/errors.ts';
import { objectsIn } from '../grid/objects.ts';
import { image, type Image } from './image.ts';
import { imageToImage, nonZeroColours, type RuleOperation, type Variant } from './operation.ts';

/**
 * Walks: every cell of a colour goes its way over empty cells and paints them. The way is the same for all of them, or each one's own:
 * `line`, on from both ends of a straight line of cells; `inward`, from the edge that it touches; `away`, from what it touches.
 * At an obstacle the walk ends, turns, passes it on one side, bounces (a diagonal walk off the side walls alone, or off top and bottom alone; or off obstacles, not off the edge) or
 * goes on over it. A walk may also turn right at one colour and left at every other, before the obstacle or on it.
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
const ownWays = ['line', 'inward', 'away'] as const;
const ways = [...Object.keys(steps), ...ownWays];
const meetings = [
  'stop',
  'turn-right',
  'turn-left',
  'pass-right',
  'pass-left',
  'over',
  'bounce-across',
  'bounce-upright',
  'rebound',
  'turn-by-colour',
  'turn-on-colour',
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
      .filter((meeting) => {
        if (meeting.endsWith('-colour')) return false;
        if (isOwn(way)) return !/pass|bounce-/.test(meeting);
        if (/turn|pass/.test(meeting)) return straight.has(way);
        return !/bounce-|rebound/.test(meeting) || !straight.has(way);
      })
      .map((meeting) => ({ way, meeting, gap: 0, paint: 0, right: 0 })),
  );
  const marked = [...straight].flatMap((way) =>
    nonZeroColours.flatMap((right) =>
      ['turn-by-colour', 'turn-on-colour'].map((meeting) => ({ way, meeting, gap: 0, paint: 0, right })),
    ),
  );
  const dotted = ways.flatMap((way) =>
    ['stop', 'over'].map((meeting) => ({ way, meeting, gap: 1, paint: 0, right: 0 })),
  );
  const other = nonZeroColours.flatMap((paint) =>
    own.filter(({ meeting }) => /stop|bounce|turn/.test(meeting)).map((one) => ({ ...one, paint })),
  );
  return [...own, ...dotted, ...other, ...marked].flatMap((args) =>
    nonZeroColours.map((colour): Variant => ({ args: { ...args, colour }, cost: searchCost })),
  );
}

export const walkOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'walk',
    summary:
      'the ways that the cells of one colour go over empty cells, painted in their own (0) or another colour',
    parameters: {
      colour: { kind: 'colour', seen: 'input' },
      way: { kind: 'choice', of: ways },
      meeting: { kind: 'choice', of: meetings },
      gap: { kind: 'integer', from: 0, to: 2 },
      paint: { kind: 'colour', seen: 'made' },
      right: { kind: 'colour', seen: 'input' },
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
  /** The colour at which a walk that turns by colours turns right. */
  readonly right: number;
}

function walks(source: Image, { colour, way, meeting, gap, paint, right }: Walk): Image | null {
  const painted = new Uint8Array(source.cells.length);
  let walked = false;
  for (const [start, cell] of source.cells.entries()) if (cell === colour) painted[start] = colour;
  for (const [start, step] of startsOf(source, colour, way))
    for (const [count, place] of wayFrom(source, start, step, { meeting, right }).entries()) {
      if ((count + 1) % (gap + 1) !== 0) continue;
      painted[place] = paint === 0 ? colour : paint;
      walked = true;
    }
  return walked ? image(source.x, source.y, source.width, source.height, painted) : null;
}

function isOwn(way: string): boolean {
  return !(way in steps);
}

/** Where walks begin, and which way each goes first. */
function startsOf(source: Image, colour: number, way: string): [start: number, step: Step][] {
  if (way === 'line') return lineEnds(source, colour);
  const starts: [number, Step][] = [];
  for (const [start, cell] of source.cells.entries()) {
    if (cell !== colour) continue;
    const x = start % source.width;
    const y = Math.floor(start / source.width);
    const step = way === 'inward' || way === 'away' ? ownStep(source, x, y, way) : definite(steps[way]);
    if (step[0] !== 0 || step[1] !== 0) starts.push([start, step]);
  }
  return starts;
}

/** Away from the edge or from other colours; no step where there are none, or as many on each side. */
function ownStep(source: Image, x: number, y: number, way: 'inward' | 'away'): Step {
  const self = cellAt(source, x, y);
  let [across, down] = [0, 0];
  for (const [dx, dy] of Object.values(steps)) {
    const cell = cellAt(source, x + dx, y + dy);
    if (way === 'inward' ? cell !== outside : cell === outside || cell === 0 || cell === self) continue;
    across -= dx;
    down -= dy;
  }
  return [Math.sign(across), Math.sign(down)];
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

/** The cells of one walk in order. A walk that cannot begin does not turn, but a diagonal one at the wall bounces at once. */
function wayFrom(
  source: Image,
  start: number,
  first: Step,
  { meeting, right }: Pick<Walk, 'meeting' | 'right'>,
): number[] {
  let x = start % source.width;
  let y = Math.floor(start / source.width);
  let [dx, dy] = first;
  const cells: number[] = [];
  while (cells.length < longest) {
    let step: Step = [dx, dy];
    if (isBlocked(source, x + dx, y + dy, meeting)) {
      const begins = cells.length > 0 || (/bounce|rebound/.test(meeting) && dx !== 0 && dy !== 0);
      const isRight = cellAt(source, x + dx, y + dy) === right;
      const here = meeting.endsWith('-colour') ? (isRight ? 'turn-right' : 'turn-left') : meeting;
      if (meeting === 'turn-on-colour') {
        if (cellAt(source, x + dx, y + dy) === outside) break;
        [x, y] = [x + dx, y + dy];
        cells.push(y * source.width + x);
        [dx, dy] = notNull(turnedStep(source, x, y, step, here));
        continue;
      }
      const turned = begins ? afterMeeting(source, x, y, step, here) : null;
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

function isBlocked(source: Image, x: number, y: number, meeting: Meeting): boolean {
  const cell = cellAt(source, x, y);
  return cell === outside || (cell !== 0 && meeting !== 'over');
}

/** The step after an obstacle, or null where the walk ends. Only bounces go on at the edge of the grid. */
function afterMeeting(source: Image, x: number, y: number, [dx, dy]: Step, meeting: Meeting): Step | null {
  const atEdge = cellAt(source, x + dx, y + dy) === outside;
  if (meeting === 'stop' || meeting === 'over' || (atEdge && !meeting.startsWith('bounce'))) return null;
  const next = turnedStep(source, x, y, [dx, dy], meeting);
  return next === null || isBlocked(source, x + next[0], y + next[1], meeting) ? null : next;
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

/** A diagonal walk keeps its way along the wall; a straight one goes back. */
function bounced(source: Image, x: number, y: number, [dx, dy]: Step): Step {
  const free = (stepX: number, stepY: number): boolean => isFree(source, x + stepX, y + stepY);
  if (dx !== 0 && dy !== 0) {
    if (!free(dx, 0) && free(-dx, dy)) return [-dx, dy];
    if (!free(0, dy) && free(dx, -dy)) return [dx, -dy];
  }
  return [-dx || 0, -dy || 0];
}
