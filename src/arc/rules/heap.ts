import { enclosed, objectsIn } from '../objects.ts';
import { contentBox, cropTo, withCells, type Image } from './image.ts';
import { remembered } from './remember.ts';

/** How the images of a list lie: over each other, or into each other's holes. */

/** With more images a list is no heap. */
const mostImages = 12;

/** How many images lie one under the other below each image of a list; 0 for one that covers none. */
export function layers(list: readonly Image[]): readonly number[] {
  return remembered(list, 'layers', () => {
    if (list.length > mostImages) return list.map(() => 0);
    const below = coveredBy(list);
    const depth = list.map(() => 0);
    // a cycle would rise for ever: no chain is longer than the list
    for (let round = 1; round < list.length; round++)
      for (const [i, others] of below.entries())
        for (const other of others)
          depth[i] = Math.min(list.length, Math.max(depth[i] as number, 1 + (depth[other] as number)));
    return depth;
  });
}

/** For each image the others that go on behind it: a row or column of its cells has cells of the other at both ends. */
function coveredBy(list: readonly Image[]): ReadonlySet<number>[] {
  const owner = new Map<string, number>();
  for (const [i, { x, y, width, cells }] of list.entries())
    for (const [at, cell] of cells.entries())
      if (cell !== 0) owner.set(`${x + (at % width)},${y + Math.floor(at / width)}`, i);
  const below = list.map(() => new Set<number>());
  for (const [place, i] of owner) {
    const [x = 0, y = 0] = place.split(',').map(Number);
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const end = (step: number): number | undefined => {
        let steps = step;
        while (owner.get(`${x + steps * dx},${y + steps * dy}`) === i) steps += step;
        return owner.get(`${x + steps * dx},${y + steps * dy}`);
      };
      const other = end(1);
      if (other !== undefined && other === end(-1)) below[i]?.add(other);
    }
  }
  return below;
}

/** In how many other images of a list an image would fill a hole. */
export function holesFilled(source: Image, list: readonly Image[]): number {
  const holes = remembered(list, 'hole-shapes', () => list.map(holeShapes));
  const own = shapeOf(source);
  return holes.filter((shapes, i) => list[i] !== source && shapes.includes(own)).length;
}

function holeShapes(source: Image): string[] {
  const inside = withCells(source, enclosed(source.cells, source.width, source.height, 4));
  const { labels, count } = objectsIn(inside, 'piece');
  return Array.from({ length: count }, (_, label) =>
    shapeOf(
      withCells(
        inside,
        inside.cells.map((_cell, i) => Number(labels[i] === label)),
      ),
    ),
  );
}

/** The filled places of an image, as text. */
function shapeOf(source: Image): string {
  const box = contentBox(source);
  if (box === null) return '';
  const { width, cells } = cropTo(source, ...box);
  return `${width}:${cells.map((cell) => Math.min(1, cell)).join('')}`;
}
