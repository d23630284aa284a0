import { definite } from '../../core/errors.ts';
import { objectsIn } from '../grid/objects.ts';
import type { MovingBody, Offset, BodyScene } from './actions.ts';
import { remembered } from './remember.ts';

/** Where an object fits another like a key its lock: it fills a notch or hole of it, or is a solid rectangle with it. */

/** The shortest way to a place where the object fits one of the anchors; null where it fits none. */
export function fitted(scene: BodyScene, self: number, anchors: readonly number[]): Offset | null {
  let best: Offset | null = null;
  for (const anchor of anchors) {
    const way = wayInto(scene, self, anchor);
    if (way !== null && (best === null || stepsOf(way) < stepsOf(best))) best = way;
  }
  return best;
}

function stepsOf([dx, dy]: Offset): number {
  return Math.abs(dx) + Math.abs(dy);
}

function wayInto(scene: BodyScene, self: number, anchor: number): Offset | null {
  return remembered(scene, `fit ${self} ${anchor}`, () => {
    const ways = [...waysIntoNotches(scene, self, anchor), ...waysToRectangle(scene, self, anchor)];
    return ways.reduce<Offset | null>(
      (best, way) => (best === null || stepsOf(way) < stepsOf(best) ? way : best),
      null,
    );
  });
}

/** Offsets that place the object exactly into an empty part of the anchor's box. */
function waysIntoNotches(scene: BodyScene, self: number, anchor: number): Offset[] {
  const own = definite(scene.bodies[self]);
  const ways: Offset[] = [];
  for (const notch of notchesOf(scene, anchor)) {
    if (notch.length !== own.cells.length) continue;
    const shift = (notch[0] ?? 0) - (own.cells[0] ?? 0);
    if (notch.every((cell, i) => cell - (own.cells[i] ?? 0) === shift))
      ways.push(offsetBetween(scene, own.cells[0] ?? 0, notch[0] ?? 0));
  }
  return ways;
}

function notchesOf(scene: BodyScene, label: number): readonly (readonly number[])[] {
  return remembered(scene, `notches ${label}`, () => {
    const { left, top, width, height } = definite(scene.bodies[label]);
    const place = (i: number): number => (top + Math.floor(i / width)) * scene.width + left + (i % width);
    const cells = Uint8Array.from({ length: width * height }, (_, i) =>
      scene.labels[place(i)] === label ? 0 : 1,
    );
    const { count, labels } = objectsIn({ width, height, cells }, 'piece');
    const notches: number[][] = Array.from({ length: count }, () => []);
    for (const [i, notch] of labels.entries()) notches[notch]?.push(place(i));
    return notches;
  });
}

function offsetBetween({ width }: BodyScene, from: number, to: number): Offset {
  return [(to % width) - (from % width), Math.floor(to / width) - Math.floor(from / width)];
}

/**
 * Offsets that combine two objects to one solid rectangle; objects that already are rectangles are excluded, because
 * they fit anywhere.
 */
function waysToRectangle(scene: BodyScene, self: number, anchor: number): Offset[] {
  const own = definite(scene.bodies[self]);
  const other = definite(scene.bodies[anchor]);
  if (isSolid(own) || isSolid(other)) return [];
  const area = own.cells.length + other.cells.length;
  const taken = new Set(other.cells);
  const ways: Offset[] = [];
  for (let top = other.top - own.height; top <= other.top + other.height; top++)
    for (let left = other.left - own.width; left <= other.left + other.width; left++) {
      const width = Math.max(left + own.width, other.left + other.width) - Math.min(left, other.left);
      const height = Math.max(top + own.height, other.top + other.height) - Math.min(top, other.top);
      const isInside =
        left >= 0 && top >= 0 && left + own.width <= scene.width && top + own.height <= scene.height;
      if (width * height !== area || !isInside) continue;
      const shift = left - own.left + (top - own.top) * scene.width;
      if (own.cells.every((cell) => !taken.has(cell + shift))) ways.push([left - own.left, top - own.top]);
    }
  return ways;
}

function isSolid({ width, height, cells }: MovingBody): boolean {
  return cells.length === width * height;
}
