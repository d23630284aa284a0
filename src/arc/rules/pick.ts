import { sameCells } from '../grid.ts';
import { criteria, rank, sameShape } from './criteria.ts';
import { mainColour, type Image } from './image.ts';
import {
  listToImage,
  listToList,
  overChoices,
  overColours,
  variantsOver,
  type Operation,
  type Variant,
} from './operation.ts';

/** Criteria stand in order of likelihood: every fourth is a little dearer. */
const byCriterion = criteria.map((by, i): Variant => ({ args: { by }, cost: 6 + Math.min(4, i >> 2) }));

/** Choosing from a list: one image, all the best ones, or all but the best ones. */
export const pickOperations: readonly Operation[] = [
  listToImage({
    name: 'pick',
    summary: 'the image that is first by a criterion',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: byCriterion,
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        return sources[ranks.indexOf(Math.max(...ranks))] as Image;
      },
  }),
  listToList({
    name: 'best',
    summary: 'all images that share the first place by a criterion',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: byCriterion,
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        const first = Math.max(...ranks);
        return sources.filter((_, i) => ranks[i] === first);
      },
  }),
  listToList({
    name: 'rest',
    summary: 'the images that do not share the first place by a criterion',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: byCriterion,
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        const first = Math.max(...ranks);
        const rest = sources.filter((_, i) => ranks[i] !== first);
        return rest.length === 0 ? null : rest;
      },
  }),
  listToImage({
    name: 'odd',
    summary: 'the one image that differs from all others in colour, shape or look',
    ...overChoices('by', ['colour', 'shape', 'look'], 6),
    make: ({ by }) => {
      const alike = likeness[by] as (a: Image, b: Image) => boolean;
      return (sources) => {
        const odd = sources.filter((one) => sources.every((other) => one === other || !alike(one, other)));
        return odd.length === 1 ? (odd[0] as Image) : null;
      };
    },
  }),
  listToImage({
    name: 'pick_most',
    summary: 'the image with the most cells of one colour',
    ...overColours('input', 7),
    make:
      ({ colour }) =>
      (sources) => {
        const counts = sources.map((source) => countOf(source, colour));
        return sources[counts.indexOf(Math.max(...counts))] as Image;
      },
  }),
  listToList({
    name: 'having',
    summary: 'the images that show one colour',
    ...overColours('input', 7),
    make:
      ({ colour }) =>
      (sources) =>
        nonEmpty(sources.filter((source) => source.cells.includes(colour))),
  }),
  listToList({
    name: 'lacking',
    summary: 'the images that do not show one colour',
    ...overColours('input', 7),
    make:
      ({ colour }) =>
      (sources) =>
        nonEmpty(sources.filter((source) => !source.cells.includes(colour))),
  }),
  listToImage({
    name: 'nth',
    summary: 'the first, second or last image of the list',
    ...overChoices('place', ['first', 'second', 'last'], 8),
    make:
      ({ place }) =>
      (sources) =>
        (place === 'last' ? sources.at(-1) : sources[place === 'first' ? 0 : 1]) ?? null,
  }),
  listToList({
    name: 'sort',
    summary: 'the list sorted by a criterion, largest first',
    parameters: { by: { kind: 'choice', of: criteria } },
    search: variantsOver(
      'by',
      ['cells', '-cells', 'area', '-area', 'copies', 'colour-copies', 'left', 'top'],
      12,
    ),
    make:
      ({ by }) =>
      (sources) => {
        const ranks = rank(sources, by);
        return sources
          .map((source, i) => ({ source, rank: ranks[i] as number }))
          .sort((a, b) => b.rank - a.rank)
          .map(({ source }) => source);
      },
  }),
];

const likeness: Readonly<Record<string, (a: Image, b: Image) => boolean>> = {
  colour: (a, b) => mainColour(a.cells) === mainColour(b.cells),
  shape: sameShape,
  look: (a, b) => a.width === b.width && a.height === b.height && sameCells(a.cells, b.cells),
};

function countOf(source: Image, colour: number): number {
  let count = 0;
  for (const cell of source.cells) if (cell === colour) count++;
  return count;
}

function nonEmpty(list: readonly Image[]): readonly Image[] | null {
  return list.length === 0 ? null : list;
}
