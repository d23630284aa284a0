import { countColours } from '../grid.ts';
import { fitted } from './fitting.ts';
import type { Image } from './image.ts';
import type { ObjectSet } from './scan.ts';
import { sorted } from './sorting.ts';

/**
 * Where an object goes: the vocabulary of learned moves. An action is a short text, a verb and its object, so that a
 * table can name it: "slide down", "touch colour 5", "by 3 0". Every action gives an offset or does not apply.
 */
export type Offset = readonly [dx: number, dy: number];

export const sides: Readonly<Record<string, Offset>> = {
  down: [0, 1],
  up: [0, -1],
  left: [-1, 0],
  right: [1, 0],
};

/** An object as moves see it: its box, its cells as numbers of the grid, its colours. */
export interface Body {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly cells: readonly number[];
  /** The straight or diagonal step from the whole object to its cells off the main colour; null where it has none. */
  readonly nose: Offset | null;
  /** The side of its box that is open: the only one whose border, corners left out, is not all its own. */
  readonly gap: Offset | null;
  /** The side where the nearest other object in sight stands; null where none does or several are as near. */
  readonly nearest: Offset | null;
}

/** A grid as moves see it: whose cell is whose, and the objects. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly labels: Int16Array;
  readonly bodies: readonly Body[];
}

export function sceneOf({ width, height, cells }: Image, { found, images }: ObjectSet): Scene {
  const members: number[][] = images.map(() => []);
  for (const [i, label] of found.labels.entries()) members[label]?.push(i);
  const { labels } = found;
  const seen = sightings(width, height, labels, members);
  const bodies = images.map((part, label): Body => {
    const own = members[label] as number[];
    const counts = countColours(Uint8Array.from(own, (cell) => cells[cell] as number));
    const most = Math.max(...counts);
    const colour = counts.indexOf(most);
    // with two main colours neither is the tip
    const tip = counts.indexOf(most, colour + 1) < 0 ? own.filter((cell) => cells[cell] !== colour) : [];
    return {
      left: Math.min(...own.map((cell) => cell % width)),
      top: Math.floor((own[0] as number) / width),
      width: part.width,
      height: part.height,
      colour,
      cells: own,
      nose: tip.length === 0 ? null : stepBetween(width, own, tip),
      gap: gapOf(part),
      nearest: seen[label] ?? null,
    };
  });
  return { width, height, labels, bodies };
}

/** What a feature says of an object: the value of most of its cells, the larger of two that as many have. */
export function valueFor(column: Uint8Array, { cells }: Body): number {
  const first = column[cells[0] as number] as number;
  if (cells.every((cell) => column[cell] === first)) return first;
  const counts = new Map<number, number>();
  for (const cell of cells) counts.set(column[cell] as number, (counts.get(column[cell] as number) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return Math.max(...[...counts.keys()].filter((value) => counts.get(value) === most));
}

/** The one side where an object's box is open; null where its corners are not all its own, or none or several sides are open. */
function gapOf({ width, height, cells }: Image): Offset | null {
  if (width < 3 || height < 3) return null;
  const isOpen = (x: number, y: number): boolean => cells[y * width + x] === 0;
  const corners = [0, width - 1].some((x) => isOpen(x, 0) || isOpen(x, height - 1));
  const across = Array.from({ length: width }, (_, x) => x);
  const down = Array.from({ length: height }, (_, y) => y);
  const open = [
    { side: sides['up'], isIt: across.some((x) => isOpen(x, 0)) },
    { side: sides['down'], isIt: across.some((x) => isOpen(x, height - 1)) },
    { side: sides['left'], isIt: down.some((y) => isOpen(0, y)) },
    { side: sides['right'], isIt: down.some((y) => isOpen(width - 1, y)) },
  ].filter(({ isIt }) => isIt);
  return corners || open.length !== 1 ? null : (open[0]?.side ?? null);
}

function middle(cells: readonly number[], of: (cell: number) => number): number {
  return cells.reduce((sum, cell) => sum + of(cell), 0) / cells.length;
}

/** The straight or diagonal step that leads from the middle of some cells to the middle of others. */
function stepBetween(width: number, from: readonly number[], to: readonly number[]): Offset | null {
  const dx = middle(to, (cell) => cell % width) - middle(from, (cell) => cell % width);
  const dy =
    middle(to, (cell) => Math.floor(cell / width)) - middle(from, (cell) => Math.floor(cell / width));
  if (dx === 0 && dy === 0) return null;
  if (Math.abs(dx) >= 2 * Math.abs(dy)) return [Math.sign(dx), 0];
  return Math.abs(dy) >= 2 * Math.abs(dx) ? [0, Math.sign(dy)] : [Math.sign(dx), Math.sign(dy)];
}

/** Sides that are read off the object: where its rare colour is, away from it, and where it is open. */
export const ownSides = ['nose', 'tail', 'gap'] as const;

/** The step that a side's name means for an object; null where it has no such side. */
export function sideOf({ nose, gap, nearest }: Body, name: string): Offset | null {
  if (name === 'gap') return gap;
  if (name === 'nearest') return nearest;
  if (name === 'nose') return nose;
  if (name === 'tail') return nose === null ? null : [-nose[0] || 0, -nose[1] || 0];
  return sides[name] ?? null;
}

/** Verbs that take a side, and verbs that take an anchor: another object. */
const sideVerbs: Readonly<Record<string, (scene: Scene, self: number, side: Offset) => Offset | null>> = {
  own: (scene, self, [dx, dy]) => {
    const { width, height } = scene.bodies[self] as Body;
    return [dx * width, dy * height];
  },
  /** As many steps as the object has cells. */
  cells: ({ bodies }, self, side) => scaled(side, (bodies[self] as Body).cells.length),
  edge: ({ width, height, bodies }, self, [dx, dy]) => {
    const body = bodies[self] as Body;
    return [ahead(body.left, body.width, width, dx), ahead(body.top, body.height, height, dy)];
  },
  reach: (scene, self, side) =>
    scaled(
      side,
      gapTo(scene, self, side, (label) => label !== self),
    ),
  sort: sorted,
};

const anchorVerbs: Readonly<
  Record<string, (scene: Scene, self: number, anchors: readonly number[]) => Offset | null>
> = {
  touch,
  /** Like touch, but an object that has nothing to go to vanishes. */
  fetch: touch,
  row: (scene, self, anchors) => [0, anchor(scene, self, anchors).top - (scene.bodies[self] as Body).top],
  column: (scene, self, anchors) => [
    anchor(scene, self, anchors).left - (scene.bodies[self] as Body).left,
    0,
  ],
  onto: (scene, self, anchors) => {
    const to = anchor(scene, self, anchors);
    const { left, top, width, height } = scene.bodies[self] as Body;
    const dx = 2 * to.left + to.width - 2 * left - width;
    const dy = 2 * to.top + to.height - 2 * top - height;
    return dx % 2 === 0 && dy % 2 === 0 ? [dx / 2, dy / 2] : null;
  },
  fit: fitted,
};

/** How far it is to the edge in the direction of a step. */
function ahead(at: number, size: number, whole: number, step: number): number {
  return step < 0 ? -at : step > 0 ? whole - size - at : 0;
}

/** Straight towards the nearest anchor, until they touch. */
function touch(scene: Scene, self: number, anchors: readonly number[]): Offset | null {
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

/** The anchor whose box is nearest, the first of several. */
function anchor(scene: Scene, self: number, anchors: readonly number[]): Body {
  const own = scene.bodies[self] as Body;
  const distance = (label: number): number => stepsBetween(own, scene.bodies[label] as Body);
  const nearest = [...anchors].sort((a, b) => distance(a) - distance(b) || a - b)[0] as number;
  return scene.bodies[nearest] as Body;
}

/** Steps between two boxes, in a line first and then around the corner. */
export function stepsBetween(a: Body, b: Body): number {
  const across = Math.max(0, a.left - b.left - b.width + 1, b.left - a.left - a.width + 1);
  return across + Math.max(0, a.top - b.top - b.height + 1, b.top - a.top - a.height + 1);
}

/** For every object the side where the nearest other one in sight stands. */
function sightings(
  width: number,
  height: number,
  labels: Int16Array,
  members: readonly (readonly number[])[],
): (Offset | null)[] {
  const away = members.map(() => Infinity);
  const sights = members.map((): Offset | null => null);
  const lines = [
    ...Array.from({ length: height }, (_, y) => ({ start: y * width, step: 1, length: width, side: [1, 0] })),
    ...Array.from({ length: width }, (_, x) => ({ start: x, step: width, length: height, side: [0, 1] })),
  ];
  const meet = (label: number, gap: number, side: Offset): void => {
    const nearest = away[label] as number;
    if (gap > nearest) return;
    const known = sights[label] ?? null;
    const isSame = gap < nearest || (known !== null && known[0] === side[0] && known[1] === side[1]);
    away[label] = gap;
    sights[label] = isSame ? side : null;
  };
  for (const { start, step, length, side } of lines) {
    const [dx = 0, dy = 0] = side;
    let last = -1;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const label = labels[start + i * step] as number;
      if (label < 0) continue;
      if (last >= 0 && last !== label) {
        meet(last, i - at, [dx, dy]);
        meet(label, i - at, [-dx || 0, -dy || 0]);
      }
      last = label;
      at = i;
    }
  }
  return sights;
}

/** How far an object can go before it would enter one of the objects that count; null when it meets none. */
function gapTo(
  { width, height, labels, bodies }: Scene,
  self: number,
  [dx, dy]: Offset,
  counts: (label: number) => boolean,
): number | null {
  let nearest: number | null = null;
  for (const cell of (bodies[self] as Body).cells) {
    let x = (cell % width) + dx;
    let y = Math.floor(cell / width) + dy;
    for (let gap = 0; x >= 0 && y >= 0 && x < width && y < height; gap++) {
      const label = labels[y * width + x] as number;
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

/** The objects that an anchor's name means for one object; never the object itself. */
function anchorsNamed(scene: Scene, self: number, name: string): number[] {
  const others = [...scene.bodies.keys()].filter((label) => label !== self);
  const bodyOf = (label: number): Body => scene.bodies[label] as Body;
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
        (label) =>
          bodyOf(label).colour === bodyOf(self).colour && (sizes[label] as number) > (sizes[self] as number),
      );
    case 'alike':
      return others.filter(
        (label) => bodyOf(label).width === bodyOf(self).width && bodyOf(label).height === bodyOf(self).height,
      );
    case 'other':
      return others.filter((label) => bodyOf(label).colour !== bodyOf(self).colour);
    case 'any':
      return others;
    default:
      return others.filter((label) => `${bodyOf(label).colour}` === name);
  }
}

/** All actions but fixed offsets, likelier ones first; `colours` are those that may be an anchor's. */
export function actionNames(colours: readonly number[]): string[] {
  const anchors = ['any', 'kin', 'same', 'other', 'alike', 'largest', 'smallest', ...colours.map(String)];
  return [
    ...phrases(['slide', 'reach', 'edge', 'own', 'cells'], [...Object.keys(sides), ...ownSides]),
    ...phrases(['sort'], Object.keys(sides)),
    ...phrases([...Object.keys(anchorVerbs), 'pull'], anchors),
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

/** Where an action brings an object; null when it does not apply. Slides depend on all objects: see `slides`. */
export function offsetOf(scene: Scene, self: number, action: string): Offset | null {
  const [verb = '', name = '', more = ''] = action.split(' ');
  if (verb === 'by') return [Number(name) || 0, Number(more) || 0];
  const goes = sideVerbs[verb];
  if (goes !== undefined) {
    const side = sideOf(scene.bodies[self] as Body, name);
    return side === null ? null : goes(scene, self, side);
  }
  const anchors = anchorsNamed(scene, self, name);
  return anchors.length === 0 ? null : (anchorVerbs[verb]?.(scene, self, anchors) ?? null);
}

/** Whether an action is a slide: to a side, or straight towards an anchor (`pull`). */
export function isSlide(action: string): boolean {
  return action.startsWith('slide ') || action.startsWith('pull ');
}

/** The step by which an object slides; null where it does not. */
export function slideStep(scene: Scene, self: number, action: string): Offset | null {
  const [verb = '', name = ''] = action.split(' ');
  if (verb === 'slide') return sideOf(scene.bodies[self] as Body, name);
  const to = verb === 'pull' ? touch(scene, self, anchorsNamed(scene, self, name)) : null;
  return to === null ? null : [Math.sign(to[0]), Math.sign(to[1])];
}

/**
 * Objects slide together, one cell at a time, while the way is free. `ways` has a side for every object that slides.
 * Each move brings an object nearer to its side, so it ends; one that has no step to go stays.
 */
export function slides(scene: Scene, ways: readonly (Offset | null)[]): Offset[] {
  const { width, height } = scene;
  const owner = Int16Array.from(scene.labels);
  const offsets = scene.bodies.map((): [number, number] => [0, 0]);
  const placed = scene.bodies.map(({ cells }) => cells);
  for (let moved = true; moved;) {
    moved = false;
    for (const [label, way] of ways.entries()) {
      const cells = placed[label] as readonly number[];
      if (way === null || (way[0] === 0 && way[1] === 0) || !isFree(cells, owner, label, way, width, height))
        continue;
      for (const cell of cells) owner[cell] = -1;
      const next = cells.map((cell) => cell + way[0] + way[1] * width);
      for (const cell of next) owner[cell] = label;
      placed[label] = next;
      const offset = offsets[label] as [number, number];
      offset[0] += way[0];
      offset[1] += way[1];
      moved = true;
    }
  }
  return offsets;
}

function isFree(
  cells: readonly number[],
  owner: Int16Array,
  label: number,
  [dx, dy]: Offset,
  width: number,
  height: number,
): boolean {
  for (const cell of cells) {
    const x = (cell % width) + dx;
    const y = Math.floor(cell / width) + dy;
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    const other = owner[y * width + x] as number;
    if (other !== -1 && other !== label) return false;
  }
  return true;
}
