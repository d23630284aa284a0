import { definite } from '../../core/errors.ts';
import { objectKinds } from '../grid/objects.ts';
import {
  isAction,
  isSlide,
  offsetOf,
  slides,
  slideStep,
  sceneOf,
  valueFor,
  vanishes,
  type MovingBody,
  type Offset,
  type BodyScene,
} from './actions.ts';
import { featureColumn, objectFeatureNames } from './features/features.ts';
import { withCells, type Image } from './image.ts';
import { imageToImage, nonZeroColours, type Answers, type RuleOperation } from './operation.ts';
import { Scan } from './scan.ts';

/**
 * Learned moves: a table maps features of an object to an action, so objects of the same kind move in the same
 * way.
 */

/**
 * What remains at an object's old position: nothing, the object itself, or its cells along the way; the last two
 * optionally in another colour.
 */
export const leavings: readonly string[] = [
  'nothing',
  'self',
  'trail',
  ...nonZeroColours.flatMap((colour) => [`self ${colour}`, `trail ${colour}`]),
];

/** The offsets at which an object's cells remain, and their colour; null for its own. */
export function leftBy(leave: string, offset: Offset): { at: readonly Offset[]; colour: number | null } {
  const [what, colour] = leave.split(' ');
  const at: readonly Offset[] = what === 'nothing' ? [] : what === 'self' ? [[0, 0]] : wayTo(offset);
  return { at, colour: colour === undefined ? null : Number(colour) };
}

const mostObjects = 80;

const actionAnswers: Answers = { description: 'an action', knows: isAction };

/** A fixed offset does not generalise to other objects, so it costs as much as three other actions. */
export function actionsPrice(actions: readonly string[]): number {
  let price = 0;
  for (const action of actions) price += action === 'stay' ? 0.25 : action.startsWith('by ') ? 9 : 3;
  return Math.round(price);
}

export const moveOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'move_objects',
    summary: 'move every object ({objects}) by {features} ({table}), leaving {leave}',
    parameters: {
      objects: { kind: 'choice', of: objectKinds },
      features: { kind: 'names', of: objectFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: actionAnswers },
      leave: { kind: 'choice', of: leavings },
    },
    search: [],
    price: ({ features, table }) => 10 + 5 * features.length + actionsPrice(Object.values(table)),
    make: (args) => (source) => {
      const scan = new Scan(source);
      const set = scan.objects(args.objects);
      // slides look at free cells only, so any number of objects is fine
      if (set.images.length > mostObjects && !Object.values(args.table).every(isSlide)) return null;
      const scene = sceneOf(source, set);
      const columns = args.features.map((name) => featureColumn(scan, name));
      const actions = scene.bodies.map((body) => {
        const key = columns.map((column) => valueFor(column, body)).join(',');
        return args.table[key] ?? 'stay';
      });
      return drawMoved(source, scene, offsetsFor(scene, actions), args.leave);
    },
  }),
];

/** The offset of every object, null for one that vanishes. */
function offsetsFor(scene: BodyScene, actions: readonly string[]): (Offset | null)[] {
  const ways = actions.map(slideStep);
  const slid = ways.some((way) => way !== null) ? slides(scene, ways) : null;
  return actions.map((action, label) => {
    if (isSlide(action)) return slid?.[label] ?? [0, 0];
    return offsetOf(scene, label, action) ?? (vanishes(action) ? null : [0, 0]);
  });
}

function isMove([dx, dy]: Offset): boolean {
  return dx !== 0 || dy !== 0;
}

/** Paints larger objects first, and moved ones over those that stay. */
export function drawMoved(
  source: Image,
  scene: BodyScene,
  offsets: readonly (Offset | null)[],
  leave: string,
): Image {
  const cells = new Uint8Array(source.cells.length);
  const order = [...scene.bodies.keys()].sort((a, b) => sizeOf(scene, b) - sizeOf(scene, a) || a - b);
  for (const label of order) {
    const offset = offsets[label];
    if (offset === null || offset === undefined) continue;
    const body = definite(scene.bodies[label]);
    if (!isMove(offset)) place(source, cells, body, [0, 0]);
    else if (leave.startsWith('self')) leaveBehind(source, cells, body, leave, offset);
  }
  for (const label of order) {
    const offset = offsets[label];
    if (offset === null || offset === undefined || !isMove(offset)) continue;
    const body = definite(scene.bodies[label]);
    if (leave.startsWith('trail')) leaveBehind(source, cells, body, leave, offset);
    place(source, cells, body, offset);
  }
  return withCells(source, cells);
}

function leaveBehind(
  source: Image,
  cells: Uint8Array,
  body: MovingBody,
  leave: string,
  offset: Offset,
): void {
  const { at, colour } = leftBy(leave, offset);
  for (const part of at) place(source, cells, body, part, colour);
}

function sizeOf(scene: BodyScene, label: number): number {
  return definite(scene.bodies[label]).cells.length;
}

/** The offsets on a straight line from the object's position; only the start if the line is not straight. */
function wayTo([dx, dy]: Offset): Offset[] {
  const steps = Math.max(Math.abs(dx), Math.abs(dy));
  if (dx !== 0 && dy !== 0 && Math.abs(dx) !== Math.abs(dy)) return [[0, 0]];
  return Array.from({ length: steps }, (_, i) => [Math.sign(dx) * i, Math.sign(dy) * i]);
}

function place(
  source: Image,
  cells: Uint8Array,
  body: MovingBody,
  [dx, dy]: Offset,
  colour: number | null = null,
): void {
  for (const cell of body.cells) {
    const x = (cell % source.width) + dx;
    const y = Math.floor(cell / source.width) + dy;
    if (x >= 0 && y >= 0 && x < source.width && y < source.height)
      cells[y * source.width + x] = colour ?? source.cells[cell] ?? 0;
  }
}
