import { definite } from '../../core/errors.ts';
import { countColours } from '../grid/grid.ts';
import { fitted } from './fitting.ts';
import type { Image } from './image.ts';
import type { ObjectSet } from './scan.ts';

/**
 * The vocabulary of learned moves, which say where an object goes. An action is a short text with a verb and its
 * object, so that a table can contain it: "slide down", "touch colour 5", "by 3 0". An action either gives an offset
 * or does not apply.
 */
export type Offset = readonly [dx: number, dy: number];

export const sides: Readonly<Record<string, Offset>> = {
  down: [0, 1],
  up: [0, -1],
  left: [-1, 0],
  right: [1, 0],
};

/** An object for moves: its box, its cells as indexes of the grid, its colours. */
export interface MovingBody {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly cells: readonly number[];
}

/** A grid for moves: the owner of each cell, and the objects. */
export interface BodyScene {
  readonly width: number;
  readonly height: number;
  readonly labels: Int16Array;
  readonly bodies: readonly MovingBody[];
}

export function sceneOf({ width, height, cells }: Image, { found, images }: ObjectSet): BodyScene {
  const members: number[][] = images.map(() => []);
  for (const [i, label] of found.labels.entries()) members[label]?.push(i);
  const { labels } = found;
  const bodies = images.map((part, label): MovingBody => {
    const own = definite(members[label]);
    const counts = countColours(Uint8Array.from(own, (cell) => cells[cell] ?? 0));
    return {
      left: Math.min(...own.map((cell) => cell % width)),
      top: Math.floor((own[0] ?? 0) / width),
      width: part.width,
      height: part.height,
      colour: counts.indexOf(Math.max(...counts)),
      cells: own,
    };
  });
  return { width, height, labels, bodies };
}

/** The value of a feature for an object: the most frequent value of its cells, the larger one on a tie. */
export function valueFor(column: Uint8Array, { cells }: MovingBody): number {
  const first = column[cells[0] ?? 0] ?? 0;
  if (cells.every((cell) => column[cell] === first)) return first;
  const counts = new Map<number, number>();
  for (const cell of cells) counts.set(column[cell] ?? 0, (counts.get(column[cell] ?? 0) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return Math.max(...[...counts.keys()].filter((value) => counts.get(value) === most));
}

/** Verbs that take a side, and verbs that take an anchor: another object. */
const sideVerbs: Readonly<Record<string, (scene: BodyScene, self: number, side: Offset) => Offset | null>> = {
  own: (scene, self, [dx, dy]) => {
    const { width, height } = definite(scene.bodies[self]);
    return [dx * width, dy * height];
  },
};

const anchorVerbs: Readonly<
  Record<string, (scene: BodyScene, self: number, anchors: readonly number[]) => Offset | null>
> = {
  touch,
  /** Like touch, but an object without a target vanishes. */
  fetch: touch,
  row: (scene, self, anchors) => [0, anchor(scene, self, anchors).top - definite(scene.bodies[self]).top],
  column: (scene, self, anchors) => [
    anchor(scene, self, anchors).left - definite(scene.bodies[self]).left,
    0,
  ],
  onto: (scene, self, anchors) => {
    const to = anchor(scene, self, anchors);
    const { left, top, width, height } = definite(scene.bodies[self]);
    const dx = 2 * to.left + to.width - 2 * left - width;
    const dy = 2 * to.top + to.height - 2 * top - height;
    return dx % 2 === 0 && dy % 2 === 0 ? [dx / 2, dy / 2] : null;
  },
  fit: fitted,
};

/** Straight towards the nearest anchor, until they touch. */
function touch(scene: BodyScene, self: number, anchors: readonly number[]): Offset | null {
  let best: Offset | null = null;
  let nearest = Infinity;
  for (const side of Object.values(sides)) {
    const gap = gapTo(scene, self, side, (label) => anchors.includes(label));
    if (gap === null || gap >= nearest) continue;
    nearest = gap;
    best = scaled(side, gap);
  }
  return best;
}

function scaled([dx, dy]: Offset, gap: number | null): Offset | null {
  return gap === null ? null : [dx * gap, dy * gap];
}

/** The anchor with the nearest box; the first on a tie. */
function anchor(scene: BodyScene, self: number, anchors: readonly number[]): MovingBody {
  const own = definite(scene.bodies[self]);
  const distance = (label: number): number => stepsBetween(own, definite(scene.bodies[label]));
  const nearest = [...anchors].sort((a, b) => distance(a) - distance(b) || a - b)[0] ?? 0;
  return definite(scene.bodies[nearest]);
}

/** Steps between two boxes, in a line first and then around the corner. */
export function stepsBetween(a: MovingBody, b: MovingBody): number {
  const across = Math.max(0, a.left - b.left - b.width + 1, b.left - a.left - a.width + 1);
  return across + Math.max(0, a.top - b.top - b.height + 1, b.top - a.top - a.height + 1);
}

/** How far an object can move before it would enter one of the relevant objects; null if it meets none. */
function gapTo(
  { width, height, labels, bodies }: BodyScene,
  self: number,
  [dx, dy]: Offset,
  counts: (label: number) => boolean,
): number | null {
  let nearest: number | null = null;
  for (const cell of definite(bodies[self]).cells) {
    let x = (cell % width) + dx;
    let y = Math.floor(cell / width) + dy;
    for (let gap = 0; x >= 0 && y >= 0 && x < width && y < height; gap++) {
      const label = labels[y * width + x] ?? 0;
      if (label === self) break;
      if (label >= 0 && counts(label)) {
        if (nearest === null || gap < nearest) nearest = gap;
        break;
      }
      x += dx;
      y += dy;
    }
  }
  return nearest;
}

/** The objects that an anchor's name selects for an object, excluding the object itself. */
function anchorsNamed(scene: BodyScene, self: number, name: string): number[] {
  const others = [...scene.bodies.keys()].filter((label) => label !== self);
  const bodyOf = (label: number): MovingBody => definite(scene.bodies[label]);
  const sizes = scene.bodies.map(({ cells }) => cells.length);
  switch (name) {
    case 'largest':
      return others.filter((label) => sizes[label] === Math.max(...sizes));
    case 'smallest':
      return others.filter((label) => sizes[label] === Math.min(...sizes));
    case 'same':
      return others.filter((label) => bodyOf(label).colour === bodyOf(self).colour);
    case 'kin':
      return others.filter(
        (label) => bodyOf(label).colour === bodyOf(self).colour && (sizes[label] ?? 0) > (sizes[self] ?? 0),
      );
    case 'other':
      return others.filter((label) => bodyOf(label).colour !== bodyOf(self).colour);
    case 'any':
      return others;
    default:
      return others.filter((label) => `${bodyOf(label).colour}` === name);
  }
}

/** All actions except fixed offsets, more likely ones first; `colours` are the possible anchor colours. */
export function actionNames(colours: readonly number[]): string[] {
  const anchors = ['any', 'kin', 'same', 'other', 'largest', 'smallest', ...colours.map(String)];
  return [
    ...phrases(['slide', ...Object.keys(sideVerbs)], Object.keys(sides)),
    ...phrases(Object.keys(anchorVerbs), anchors),
  ];
}

/** Whether a text names an action: one of the vocabulary, a fixed offset, staying or vanishing. */
export function isAction(text: string): boolean {
  return text === 'stay' || text === 'drop' || vocabulary.has(text) || /^by -?\d{1,2} -?\d{1,2}$/.test(text);
}

function phrases(verbs: readonly string[], names: readonly string[]): string[] {
  return verbs.flatMap((verb) => names.map((name) => `${verb} ${name}`));
}

const vocabulary: ReadonlySet<string> = new Set(actionNames([1, 2, 3, 4, 5, 6, 7, 8, 9]));

/** Whether an object vanishes when the action does not apply to it; otherwise it stays. */
export function vanishes(action: string): boolean {
  return action === 'drop' || action.startsWith('fetch ');
}

/** The offset of an object under an action; null if the action does not apply. Slides depend on all objects: see `slides`. */
export function offsetOf(scene: BodyScene, self: number, action: string): Offset | null {
  const [verb = '', name = '', more = ''] = action.split(' ');
  if (verb === 'by') return [Number(name) || 0, Number(more) || 0];
  const goes = sideVerbs[verb];
  if (goes !== undefined) {
    const side = sides[name];
    return side === undefined ? null : goes(scene, self, side);
  }
  const anchors = anchorsNamed(scene, self, name);
  return anchors.length === 0 ? null : (anchorVerbs[verb]?.(scene, self, anchors) ?? null);
}

/** Whether an action is a slide to a side. */
export function isSlide(action: string): boolean {
  return action.startsWith('slide ');
}

/** The step of a sliding object; null for other actions. */
export function slideStep(action: string): Offset | null {
  const [verb = '', name = ''] = action.split(' ');
  return verb === 'slide' ? (sides[name] ?? null) : null;
}

/**
 * Slides objects together, one cell at a time, while the way is free. `ways` has a direction for every sliding
 * object. Each move brings an object nearer to its side, so this terminates; a blocked object stays.
 */
export function slides(scene: BodyScene, ways: readonly (Offset | null)[]): Offset[] {
  const { width, height } = scene;
  const owner = Int16Array.from(scene.labels);
  const offsets = scene.bodies.map((): [number, number] => [0, 0]);
  const placed = scene.bodies.map(({ cells }) => cells);
  for (let moved = true; moved;) {
    moved = false;
    for (const [label, way] of ways.entries()) {
      const cells = definite(placed[label]);
      if (
        way === null ||
        (way[0] === 0 && way[1] === 0) ||
        !isFree(cells, { owner, width, height }, label, way)
      )
        continue;
      for (const cell of cells) owner[cell] = -1;
      const next = cells.map((cell) => cell + way[0] + way[1] * width);
      for (const cell of next) owner[cell] = label;
      placed[label] = next;
      const offset = definite(offsets[label]);
      offset[0] += way[0];
      offset[1] += way[1];
      moved = true;
    }
  }
  return offsets;
}

function isFree(
  cells: readonly number[],
  { owner, width, height }: { readonly owner: Int16Array; readonly width: number; readonly height: number },
  label: number,
  [dx, dy]: Offset,
): boolean {
  for (const cell of cells) {
    const x = (cell % width) + dx;
    const y = Math.floor(cell / width) + dy;
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    const other = owner[y * width + x] ?? 0;
    if (other !== -1 && other !== label) return false;
  }
  return true;
}
