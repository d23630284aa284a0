import { definite } from '../../core/errors.ts';
import { colourCount, countColours } from '../grid/grid.ts';
import { mainColour, rareColour, withCells, type Image } from './image.ts';
import { imageToImage, overChoices, overColours, type RuleOperation } from './operation.ts';
import { colourAnswers } from './tables.ts';

/** Colours: keep, drop, repaint. Nothing here moves a cell. */
export const colourOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'filter',
    summary: 'keep the cells of colour {colour}',
    ...overColours('input'),
    make:
      ({ colour }) =>
      (source) =>
        mapCells(source, (cell) => (cell === colour ? cell : 0)),
  }),
  imageToImage({
    name: 'erase',
    summary: 'drop the cells of colour {colour}',
    ...overColours('input'),
    make:
      ({ colour }) =>
      (source) =>
        mapCells(source, (cell) => (cell === colour ? 0 : cell)),
  }),
  imageToImage({
    name: 'paint',
    summary: 'paint every filled cell in colour {colour}',
    ...overColours('output'),
    make:
      ({ colour }) =>
      (source) =>
        mapCells(source, (cell) => (cell === 0 ? 0 : colour)),
  }),
  imageToImage({
    name: 'paint_by',
    summary: 'paint every filled cell in the {by} colour',
    ...overChoices('by', ['main', 'rare'], 12),
    make:
      ({ by }) =>
      (source) => {
        const colour = by === 'main' ? mainColour(source.cells) : rareColour(source.cells);
        return mapCells(source, (cell) => (cell === 0 ? 0 : colour));
      },
  }),
  imageToImage({
    name: 'empty_as',
    summary: 'keep only the empty cells, in colour {colour}',
    ...overColours('output', 12),
    make:
      ({ colour }) =>
      (source) =>
        mapCells(source, (cell) => (cell === 0 ? colour : 0)),
  }),
  imageToImage({
    name: 'reverse_colours',
    summary:
      'reverse the order of the colours by {by}: the first becomes the last, the second the last but one',
    ...overChoices('by', ['place', 'count'], 12),
    make:
      ({ by }) =>
      (source) => {
        const order = colourOrder(source, by === 'count');
        if (order.length < 2) return null;
        return mapCells(source, (cell) => (cell === 0 ? 0 : definite(order.at(-1 - order.indexOf(cell)))));
      },
  }),
  imageToImage({
    name: 'recolour',
    summary: 'map each colour ({table})',
    parameters: { table: { kind: 'table', answers: colourAnswers } },
    search: [],
    price: ({ table }) => 8 + Object.keys(table).length,
    make:
      ({ table }) =>
      (source) =>
        mapCells(source, (cell) => Number(table[cell] ?? cell) % 10 || 0),
  }),
];

/** The colours of an image, in reading order or by number of cells. */
function colourOrder({ cells }: Image, byCount: boolean): number[] {
  const shown = [...new Set(cells)].filter((colour) => colour !== 0);
  if (!byCount) return shown;
  const counts = countColours(cells);
  return shown.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
}

const unasked = 255;
const becomes = new Uint8Array(colourCount);

/** Looks up every colour of the image exactly once, and no other, because leave-one-out records which entries are used. */
function mapCells(source: Image, colourOf: (cell: number) => number): Image {
  becomes.fill(unasked);
  const cells = new Uint8Array(source.cells.length);
  for (let i = 0; i < cells.length; i++) {
    const cell = source.cells[i] ?? 0;
    if (becomes[cell] === unasked) becomes[cell] = colourOf(cell);
    cells[i] = becomes[cell] ?? 0;
  }
  return withCells(source, cells);
}
