import { holeCount, objectsIn } from '../objects.ts';
import { colourCount, motions, moveGrid, sameCells, sameGrid, type Grid, type Motion } from '../grid.ts';
import { holesFilled, layers } from './heap.ts';
import { remembered } from './remember.ts';
import { contentBox, cropTo, distinctColours, filledCount, mainColour, type Image } from './image.ts';

type Measure = (source: Image, list: readonly Image[]) => number;

/** Ways to rank the images of a list, likelier ones first; the largest value wins. `-` in front turns one round. */
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
  layer: (source, list) => layers(list)[list.indexOf(source)] as number,
  'holes-filled': holesFilled,
};

/** Rarer ones, which learners ask for: for plain picks they would be too many. */
const rareMeasures: Readonly<Record<string, Measure>> = {
  objects: (source) => objectsIn(source, 'blob').count,
  gaps: (source) => source.cells.length - filledCount(source.cells),
  symmetries: (source) => motions.filter((motion) => sameUnder(source, motion)).length,
  spots,
  shared: (source, list) => countOf(source.cells, sharedColours(list)),
  unlike: (source, list) => differences(source, consensus(list)).length,
  'turned-copies': (source, list) => list.filter((other) => turnedForm(other) === turnedForm(source)).length,
  'chain-across': (source, list) => chain(list, true).indexOf(source),
  'chain-down': (source, list) => chain(list, false).indexOf(source),
};

const bothWays = (name: string): string[] => [name, `-${name}`];
/** The likelier ones, which plain picks try. */
export const likelyCriteria = Object.keys(measures).flatMap(bothWays);
export const criteria = [...likelyCriteria, ...Object.keys(rareMeasures).flatMap(bothWays)];

export function rank(list: readonly Image[], criterion: string): readonly number[] {
  const reversed = criterion.startsWith('-');
  const name = reversed ? criterion.slice(1) : criterion;
  const values = measured(list, name);
  return reversed ? values.map((value) => -value) : values;
}

const allMeasures = { ...measures, ...rareMeasures };
export const measureNames = Object.keys(allMeasures);

/** What every image of a list measures. */
export function measured(list: readonly Image[], name: string): readonly number[] {
  const measure = allMeasures[name] as Measure;
  return remembered(list, name, () => list.map((source) => measure(source, list)));
}

/** How many filled cells are not of the main colour: the dots of a tile. */
function spots({ cells }: Image): number {
  return filledCount(cells) - countOf(cells, new Set([mainColour(cells)]));
}

function countOf(cells: Uint8Array, colours: ReadonlySet<number>): number {
  return cells.reduce((count, cell) => count + Number(colours.has(cell)), 0);
}

/** The filled colours that every image of a list has: what marks all of them. */
function sharedColours(list: readonly Image[]): ReadonlySet<number> {
  return remembered(list, 'shared colours', () => {
    const [first, ...others] = list.map(({ cells }) => new Set(cells.filter((cell) => cell !== 0)));
    return new Set([...(first ?? [])].filter((colour) => others.every((other) => other.has(colour))));
  });
}

/** What most images of a list show at each place; null where they are not of one size, or too few to tell. */
function consensus(list: readonly Image[]): Uint8Array | null {
  return remembered(list, 'consensus', () => {
    const [first, ...others] = list;
    if (first === undefined || others.length < 2) return null;
    if (others.some(({ width, height }) => width !== first.width || height !== first.height)) return null;
    const tally = new Uint16Array(colourCount);
    return first.cells.map((_, place) => {
      tally.fill(0);
      for (const { cells } of list) (tally[cells[place] as number] as number)++;
      return tally.indexOf(Math.max(...tally));
    });
  });
}

/** The places at which an image shows something else. */
function differences({ cells }: Image, usual: Uint8Array | null): number[] {
  return usual === null ? [] : [...cells.keys()].filter((place) => cells[place] !== usual[place]);
}

/** For every image of a list, the colour in which it differs from what most show; 0 where it does not, or in several colours. */
export function flawColours(list: readonly Image[]): readonly number[] {
  return list.map((source) => {
    const flaws = new Set(differences(source, consensus(list)).map((place) => source.cells[place] as number));
    return flaws.size === 1 ? ([...flaws][0] as number) : 0;
  });
}

/** The list in the order in which every image ends as the next one begins, like dominoes; empty where there is not one such order. */
function chain(list: readonly Image[], isAcross: boolean): readonly Image[] {
  return remembered(list, `chain ${isAcross}`, () => {
    const begins = list.map((source) => sideOf(source, isAcross, false));
    const ends = list.map((source) => sideOf(source, isAcross, true));
    const order = list.filter((_, i) => !ends.includes(begins[i] as string)).slice(0, 2);
    if (order.length !== 1) return [];
    for (let last = order[0]; last !== undefined && order.length <= list.length;) {
      const end = ends[list.indexOf(last)] as string;
      const next = begins.indexOf(end);
      last = next < 0 || begins.indexOf(end, next + 1) >= 0 ? undefined : list[next];
      if (last !== undefined) order.push(last);
    }
    return order.length === list.length ? order : [];
  });
}

/** The cells of the first or last column, or row. */
function sideOf({ width, height, cells }: Image, isColumn: boolean, isLast: boolean): string {
  const at = (i: number): number =>
    isColumn ? i * width + (isLast ? width - 1 : 0) : (isLast ? height - 1 : 0) * width + i;
  return Array.from({ length: isColumn ? height : width }, (_, i) => cells[at(i)]).join();
}

function turnedForm(source: Image): number {
  return remembered(source, 'turned form', () => turnedFormOf(tight(source)));
}

function sameUnder(source: Image, motion: Motion): boolean {
  const moved = moveGrid(source, motion);
  return moved.width === source.width && sameCells(moved.cells, source.cells);
}

/** Equal up to colours, on the rectangles around the filled cells. */
export function sameShape(a: Image, b: Image): boolean {
  const one = tight(a);
  const two = tight(b);
  if (one.width !== two.width || one.height !== two.height) return false;
  for (let i = 0; i < one.cells.length; i++) if ((one.cells[i] === 0) !== (two.cells[i] === 0)) return false;
  return true;
}

function tight(source: Image): Image {
  const box = contentBox(source);
  return box === null ? source : cropTo(source, ...box);
}

/** A number 1 to 250 for the shape of an image, whatever its colours: equal shapes have equal numbers, others mostly not. */
export function formOf({ width, height, cells }: Grid): number {
  let hash = Math.imul(width * 31 + height, 0x01000193);
  for (let i = 0; i < cells.length; i++) hash = Math.imul(hash ^ (cells[i] === 0 ? 0 : 1), 0x01000193);
  hash ^= hash >>> 15;
  return 1 + ((hash >>> 0) % 250);
}

/** The same for a shape however it is turned or mirrored. */
export function turnedFormOf(source: Grid): number {
  return Math.min(...motions.map((motion) => formOf(moveGrid(source, motion))));
}
