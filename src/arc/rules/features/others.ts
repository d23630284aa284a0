import { motions, moveGrid, type Grid, type Motion } from '../../grid.ts';
import { holeCount } from '../../objects.ts';
import { sameShape } from '../criteria.ts';
import { distinctColours, type Image } from '../image.ts';
import { remembered } from '../remember.ts';
import type { ObjectSet, Scan, SetKind } from '../scan.ts';
import type { Column } from './column.ts';
import { mainOf, perObject } from './objects.ts';

/** How an object stands to the other objects of its grid: what holds it, what it holds, what is in line with it or nearest. */
type Box = readonly [left: number, top: number, right: number, bottom: number];

/** With more objects the grid is a texture, and who stands where says nothing. */
const mostObjects = 60;

/** Each object's value; 0 for all where there are too many. */
function perOne(
  kind: SetKind,
  valueOf: (set: ObjectSet, label: number, others: readonly number[]) => number,
): Column {
  return (scan) => {
    const set = scan.objects(kind);
    if (set.found.count > mostObjects) return new Uint8Array(scan.cells.length);
    const all = Array.from({ length: set.found.count }, (_, label) => label);
    return perObject(scan, set, (_, label) =>
      valueOf(
        set,
        label,
        all.filter((other) => other !== label),
      ),
    );
  };
}

/** Colours that others give to an object: 0 where there is none. */
export function coloursOfOthers(kind: SetKind): Record<string, Column> {
  return {
    [`${kind}-holder`]: perOne(kind, (set, label, others) =>
      firstColour(
        set,
        others.find((other) => holds(boxOf(set, other), boxOf(set, label))),
      ),
    ),
    [`${kind}-held`]: perOne(kind, (set, label, others) =>
      firstColour(
        set,
        others.find((other) => holds(boxOf(set, label), boxOf(set, other))),
      ),
    ),
    [`${kind}-neighbour`]: perOne(kind, (set, label, others) =>
      firstColour(set, others.toSorted((a, b) => gap(set, label, a) - gap(set, label, b) || a - b)[0]),
    ),
    [`${kind}-twin`]: perOne(kind, (set, label, others) =>
      firstColour(
        set,
        others.find((other) => isTwin(set, label, other)),
      ),
    ),
    [`${kind}-like-holes`]: perOne(kind, (set, label, others) =>
      agreed(set, label, others, (one) => holesOf(set.images[one] as Image)),
    ),
    [`${kind}-like-size`]: perOne(kind, (set, label, others) =>
      agreed(set, label, others, (one) => set.sizes[one] as number),
    ),
    [`${kind}-like-width`]: perOne(kind, (set, label, others) =>
      agreed(set, label, others, (one) => (set.images[one] as Image).width),
    ),
    [`${kind}-like-height`]: perOne(kind, (set, label, others) =>
      agreed(set, label, others, (one) => (set.images[one] as Image).height),
    ),
    [`${kind}-abreast-colour`]: perOne(kind, (set, label, others) => onlyOther(set, label, others, 1)),
    [`${kind}-aligned-colour`]: perOne(kind, (set, label, others) => onlyOther(set, label, others, 0)),
  };
}

function holesOf(part: Image): number {
  return remembered(part, 'holes', () => holeCount(part));
}

/** The one other colour of the objects that measure the same as an object; 0 for none or several. */
function agreed(
  set: ObjectSet,
  label: number,
  others: readonly number[],
  measure: (one: number) => number,
): number {
  const own = mainOf(set, label);
  let met = 0;
  for (const other of others) {
    const colour = mainOf(set, other);
    if (colour === own || colour === met || measure(other) !== measure(label)) continue;
    if (met !== 0) return 0;
    met = colour;
  }
  return met;
}

/** The one other colour of the objects that share a row (axis 1) or a column (axis 0) with an object; its own for none or several. */
function onlyOther(set: ObjectSet, label: number, others: readonly number[], axis: 0 | 1): number {
  const own = mainOf(set, label);
  const met = others
    .filter((other) => overlaps(boxOf(set, label), boxOf(set, other), axis))
    .map((other) => mainOf(set, other))
    .filter((colour) => colour !== own);
  return new Set(met).size === 1 ? (met[0] as number) : own;
}

function overlaps(a: Box, b: Box, axis: 0 | 1): boolean {
  return a[axis] <= (b[axis + 2] as number) && b[axis] <= (a[axis + 2] as number);
}

/** Counts of others that stand to an object in some way, from 1, so that 0 is no object; 9 are many. */
export function amongOthers(kind: SetKind): Record<string, Column> {
  const count = (stands: (own: Box, other: Box) => boolean): Column =>
    perOne(
      kind,
      (set, label, others) =>
        1 + Math.min(8, others.filter((other) => stands(boxOf(set, label), boxOf(set, other))).length),
    );
  return {
    [`${kind}-holders`]: count((own, other) => holds(other, own)),
    [`${kind}-holdings`]: count((own, other) => holds(own, other)),
    [`${kind}-abreast`]: count((own, other) => overlaps(own, other, 1)),
    [`${kind}-aligned`]: count((own, other) => overlaps(own, other, 0)),
    [`${kind}-kin`]: perOne(
      kind,
      (set, label, others) =>
        1 + Math.min(8, others.filter((other) => mainOf(set, other) === mainOf(set, label)).length),
    ),
    [`${kind}-mirrored`]: perOne(kind, (set, label, others) =>
      isAnother(set, label, others, ['flip-left-right', 'flip-top-bottom']),
    ),
    [`${kind}-turned`]: perOne(kind, (set, label, others) =>
      isAnother(set, label, others, ['rotate90', 'rotate180', 'rotate270']),
    ),
    [`${kind}-sought`]: perOne(
      kind,
      (set, label, others) =>
        1 + Math.min(8, others.filter((other) => isSoughtBy(set, other, label, others)).length),
    ),
  };
}

/** Whether another object has the shape that one of some motions makes of an object's, and that is not its shape as it is. */
function isAnother(set: ObjectSet, label: number, others: readonly number[], by: readonly Motion[]): number {
  const own = set.images[label] as Image;
  const isThere = by.some((motion) => {
    const moved = movedShape(own, motion);
    return !isAt(own, moved) && others.some((other) => isAt(set.images[other] as Image, moved));
  });
  return 1 + Number(isThere);
}

function movedShape(part: Image, motion: Motion): Grid {
  return remembered(part, motion, () => moveGrid(part, motion));
}

/** Whether two grids are filled at the same places. */
function isAt(one: Grid, two: Grid): boolean {
  if (one.width !== two.width || one.height !== two.height) return false;
  return one.cells.every((cell, i) => (cell === 0) === (two.cells[i] === 0));
}

/** Whether an object is, of all that have another colour than some one has, nearest to that one. */
function isSoughtBy(set: ObjectSet, one: number, label: number, others: readonly number[]): boolean {
  const isStranger = (other: number): boolean => mainOf(set, other) !== mainOf(set, one);
  const away = gap(set, one, label);
  return isStranger(label) && others.every((other) => !isStranger(other) || gap(set, one, other) >= away);
}

/**
 * For a cell of an object of one colour: what stands at the same place of the one object of several colours that has its shape,
 * as large, enlarged or shrunk; 0 where there is none such.
 */
export function modelColour(scan: Scan): Uint8Array {
  const set = scan.objects('object');
  const column = new Uint8Array(scan.cells.length);
  if (set.found.count > mostObjects) return column;
  const models = set.images.filter(({ cells }) => distinctColours(cells) > 1);
  const modelOf = set.images.map((own) => {
    const alike = distinctColours(own.cells) > 1 ? [] : models.filter((model) => isScaled(own, model));
    return alike.length === 1 ? (alike[0] as Image) : null;
  });
  for (const [i, label] of set.found.labels.entries()) {
    const model = modelOf[label] ?? null;
    if (model === null) continue;
    const own = boxOf(set, label);
    column[i] = scaledCell(
      model,
      (i % scan.width) - own[0],
      Math.floor(i / scan.width) - own[1],
      set.images[label] as Image,
    );
  }
  return column;
}

/** What a model has at the place that corresponds to a place of an object of other size: one cell, or a block if it has one colour. */
function scaledCell(model: Image, x: number, y: number, own: Image): number {
  const [left, right] = [x, x + 1].map((at) => (at * model.width) / own.width) as [number, number];
  const [top, bottom] = [y, y + 1].map((at) => (at * model.height) / own.height) as [number, number];
  const colour = model.cells[Math.floor(top) * model.width + Math.floor(left)] as number;
  for (let row = Math.floor(top); row < bottom; row++)
    for (let column = Math.floor(left); column < right; column++)
      if (model.cells[row * model.width + column] !== colour) return 0;
  return colour;
}

/** Whether two images, one a whole number of times as large as the other, are filled at the same places. */
function isScaled(one: Image, two: Image): boolean {
  const [small, large] = one.width <= two.width ? [one, two] : [two, one];
  const times = large.width / small.width;
  if (!Number.isInteger(times) || large.height !== times * small.height) return false;
  return large.cells.every((cell, i) => {
    const [x, y] = [i % large.width, Math.floor(i / large.width)];
    const place = Math.floor(y / times) * small.width + Math.floor(x / times);
    return (cell === 0) === (small.cells[place] === 0);
  });
}

/** Whether two objects of different colours have the same shape, as they are or turned. */
function isTwin(set: ObjectSet, label: number, other: number): boolean {
  if (set.sizes[label] !== set.sizes[other] || mainOf(set, label) === mainOf(set, other)) return false;
  const own = set.images[label] as Image;
  return motions.some((motion) =>
    sameShape(own, { x: 0, y: 0, ...moveGrid(set.images[other] as Image, motion) }),
  );
}

function firstColour(set: ObjectSet, found: number | undefined): number {
  return found === undefined ? 0 : mainOf(set, found);
}

function boxOf(set: ObjectSet, label: number): Box {
  return set.boxes.subarray(label * 4, label * 4 + 4) as unknown as Box;
}

/** Whether a box lies inside another without touching its sides. */
function holds([left, top, right, bottom]: Box, inner: Box): boolean {
  return left < inner[0] && top < inner[1] && right > inner[2] && bottom > inner[3];
}

/** Steps between two boxes, in a line first and then around the corner. */
function gap(set: ObjectSet, one: number, other: number): number {
  const a = boxOf(set, one);
  const b = boxOf(set, other);
  return Math.max(0, a[0] - b[2], b[0] - a[2]) + Math.max(0, a[1] - b[3], b[1] - a[3]);
}
