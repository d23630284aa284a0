import { definite } from '../../core/errors.ts';
import { measureNames, measured } from './criteria.ts';
import { image, mainColour, rareColour, type Image } from './image.ts';
import { listToImage, type Answers, type RuleOperation, type Table } from './operation.ts';
import { remembered } from './remember.ts';
import { entriesPrice, readingAnswers } from './tables.ts';

/**
 * Learned choices from a list. Every image of a list has features: measures, and whether its value is the most, the
 * least or unique in its list, so that a table generalises to lists with other values. `choose` takes the image that
 * a table selects; `tabulate` maps each image to a cell with a colour from the table.
 */
type MemberColumn = (list: readonly Image[]) => readonly number[];

/** Features are stored in tables as bytes. */
const mostValue = 255;

const amounts = measureNames.map((name): [string, MemberColumn] => [name, (list) => measured(list, name)]);
/** A colour is not a quantity, so it has no maximum. */
const colours: readonly [string, MemberColumn][] = [
  ['main', (list) => list.map(({ cells }) => mainColour(cells))],
  ['rare', (list) => list.map(({ cells }) => rareColour(cells))],
];
/** Colours of an image that its cell may take. */
const memberColours = colours.map(([name]) => name);

const columns: Readonly<Record<string, MemberColumn>> = Object.fromEntries([
  ...[...amounts, ...colours].flatMap(([name, column]): [string, MemberColumn][] => [
    [name, (list) => column(list).map((value) => Math.min(mostValue, Math.abs(value)))],
    [`only-${name}`, (list) => whether(column(list), isAlone)],
  ]),
  ...amounts.flatMap(([name, column]): [string, MemberColumn][] => [
    [`most-${name}`, (list) => whether(column(list), (value, values) => value === Math.max(...values))],
    [`least-${name}`, (list) => whether(column(list), (value, values) => value === Math.min(...values))],
  ]),
  ['place', (list) => list.map((_, place) => place)],
  ['last', (list) => list.map((_, place) => Number(place === list.length - 1))],
]);

export const memberFeatureNames = Object.keys(columns);

export function memberColumn(list: readonly Image[], name: string): readonly number[] {
  return remembered(list, `member ${name}`, () => definite(columns[name])(list));
}

function whether(
  values: readonly number[],
  holds: (value: number, values: readonly number[]) => boolean,
): readonly number[] {
  return values.map((value) => Number(holds(value, values)));
}

function isAlone(value: number, values: readonly number[]): boolean {
  return values.indexOf(value) === values.lastIndexOf(value);
}

/** Comparisons within a list are more likely than absolute values, and an image's content is more likely than its position. */
export function memberPrice(name: string): number {
  const place = /top|left|place|last/.test(name) ? 3 : 0;
  return place + (/^(most|least|only)-/.test(name) || name === 'main' ? 5 : 9);
}

const choice: Answers = { description: 'take or leave', knows: (answer) => /^(take|leave)$/.test(answer) };
export const layouts = ['row', 'column', 'places'] as const;
export type MemberLayout = (typeof layouts)[number];

function featuresPrice(features: readonly string[]): number {
  return features.reduce((sum, name) => sum + memberPrice(name), 0);
}

export const memberOperations: readonly RuleOperation[] = [
  listToImage({
    name: 'choose',
    summary: 'take the first image whose {features} match ({table})',
    parameters: {
      features: { kind: 'names', of: memberFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: choice },
    },
    search: [],
    price: ({ features, table }) => 4 + featuresPrice(features) + Object.keys(table).length / 2,
    make:
      ({ features, table }) =>
      (sources) => {
        const answers = answersFor(sources, features, table);
        const chosen = answers.indexOf('take');
        return sources[chosen] ?? null;
      },
  }),
  listToImage({
    name: 'tabulate',
    summary: 'make one cell for each image ({layout}), in the colour that its {features} give ({table})',
    parameters: {
      features: { kind: 'names', of: memberFeatureNames },
      table: { kind: 'table', keyed: 'features', answers: readingAnswers(memberColours) },
      layout: { kind: 'choice', of: layouts },
    },
    search: [],
    price: ({ features, table }) => 8 + featuresPrice(features) + entriesPrice(table),
    make:
      ({ features, table, layout }) =>
      (sources) => {
        const laid = lay(sources, layout);
        if (laid === null) return null;
        const cells = new Uint8Array(laid.width * laid.height);
        for (const [member, answer] of answersFor(sources, features, table).entries()) {
          if (answer === undefined) return null;
          cells[laid.cells[member] ?? 0] = answer.startsWith('@')
            ? (memberColumn(sources, answer.slice(1))[member] ?? 0)
            : Number(answer);
        }
        return image(0, 0, laid.width, laid.height, cells);
      },
  }),
];

function answersFor(
  list: readonly Image[],
  features: readonly string[],
  table: Table,
): readonly (string | undefined)[] {
  const asked = features.map((name) => memberColumn(list, name));
  return list.map((_, member) => table[asked.map((column) => column[member]).join(',')]);
}

/** A small grid and the cell of each image in it. */
export interface Laid {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly number[];
}

/** In the order of the list, or by the rows and columns of the images' positions; null if two share a cell. */
export function lay(list: readonly Image[], layout: MemberLayout): Laid | null {
  if (list.length > 30) return null;
  const order = [...list.keys()];
  if (layout === 'row') return { width: list.length, height: 1, cells: order };
  if (layout === 'column') return { width: 1, height: list.length, cells: order };
  const across = lines(list.map(({ x, width }) => [x, x + width - 1]));
  const down = lines(list.map(({ y, height }) => [y, y + height - 1]));
  const width = 1 + Math.max(...across);
  const cells = order.map((member) => (down[member] ?? 0) * width + (across[member] ?? 0));
  return new Set(cells).size === cells.length ? { width, height: 1 + Math.max(...down), cells } : null;
}

/** Overlapping spans are on one line; lines are numbered from the first. */
function lines(spans: readonly (readonly [from: number, to: number])[]): number[] {
  const order = [...spans.keys()].sort((a, b) => (spans[a]?.[0] ?? 0) - (spans[b]?.[0] ?? 0));
  const numbers = spans.map(() => 0);
  let line = -1;
  let end = -Infinity;
  for (const member of order) {
    const [from, to] = definite(spans[member]);
    if (from > end) line++;
    end = Math.max(end, to);
    numbers[member] = line;
  }
  return numbers;
}
