import { definite } from '../../core/errors.ts';
import { holeCount } from '../grid/objects.ts';
import { moveGrid, sameCells, sameGrid, type Motion } from '../grid/grid.ts';
import { remembered } from './remember.ts';
import { distinctColours, filledCount, filledPart, mainColour, type Image } from './image.ts';

type Measure = (source: Image, list: readonly Image[]) => number;

/**
 * Measures for ranking the images of a list, more likely ones first; the largest value wins. A leading `-` reverses
 * the order.
 */
const measures: Readonly<Record<string, Measure>> = {
  cells: (source) => filledCount(source.cells),
  area: (source) => source.width * source.height,
  colours: (source) => distinctColours(source.cells),
  copies: (source, list) => list.filter((other) => sameGrid(source, other)).length,
  'colour-copies': (source, list) =>
    list.filter((other) => mainColour(other.cells) === mainColour(source.cells)).length,
  holes: holeCount,
  'shape-copies': (source, list) => list.filter((other) => sameShape(source, other)).length,
  top: (source) => -source.y,
  left: (source) => -source.x,
  'symmetry-across': (source) => Number(sameUnder(source, 'flip-left-right')),
  'symmetry-upright': (source) => Number(sameUnder(source, 'flip-top-bottom')),
  'symmetry-diagonal': (source) =>
    Number(sameUnder(source, 'transpose') || sameUnder(source, 'antitranspose')),
  width: (source) => source.width,
  height: (source) => source.height,
};

const bothWays = (name: string): string[] => [name, `-${name}`];
export const criteria = Object.keys(measures).flatMap(bothWays);

export function rank(list: readonly Image[], criterion: string): readonly number[] {
  const reversed = criterion.startsWith('-');
  const name = reversed ? criterion.slice(1) : criterion;
  const values = measured(list, name);
  return reversed ? values.map((value) => -value) : values;
}

export const measureNames = Object.keys(measures);

/** The measure of every image of a list. */
export function measured(list: readonly Image[], name: string): readonly number[] {
  const measure = definite(measures[name]);
  return remembered(list, name, () => list.map((source) => measure(source, list)));
}

function sameUnder(source: Image, motion: Motion): boolean {
  const moved = moveGrid(source, motion);
  return moved.width === source.width && sameCells(moved.cells, source.cells);
}

/** Equal up to colours, on the rectangles around the filled cells. */
export function sameShape(a: Image, b: Image): boolean {
  const one = filledPart(a) ?? a;
  const two = filledPart(b) ?? b;
  if (one.width !== two.width || one.height !== two.height) return false;
  for (let i = 0; i < one.cells.length; i++) if ((one.cells[i] === 0) !== (two.cells[i] === 0)) return false;
  return true;
}
