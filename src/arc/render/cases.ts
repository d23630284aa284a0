import { definite } from '../../core/errors.ts';
import type { Arguments, Table } from '../language/operation.ts';
import { plural } from '../../shared/plural.ts';
import { criteria } from './words.ts';

/** Learned tables in English: features as conditions, entries as cases. */

/** The colour that a table names, or where it reads one. */
export function readColour(answer: string, where: string): string {
  const colour = answer.startsWith('@') ? colourAt(answer.slice(1)) : `colour ${answer}`;
  return where === '' ? colour : `${colour} where ${where}`;
}

const compass: Readonly<Record<string, string>> = {
  north: 'above',
  south: 'below',
  west: 'on the left',
  east: 'on the right',
  'north-west': 'at the upper left',
  'north-east': 'at the upper right',
  'south-west': 'at the lower left',
  'south-east': 'at the lower right',
};

const colours: Readonly<Record<string, string>> = {
  'mirror-across': 'at the place mirrored left to right',
  'mirror-down': 'at the place mirrored top to bottom',
  transposed: 'at the place mirrored along the main diagonal',
  'anti-transposed': 'at the place mirrored along the other diagonal',
  'turned-left': 'at the place rotated anticlockwise',
  'turned-right': 'at the place rotated clockwise',
  'row-first': 'at the start of its row',
  'row-last': 'at the end of its row',
  'column-first': 'at the top of its column',
  'column-last': 'at the bottom of its column',
  'main-colour': 'that is most frequent',
  'rare-colour': 'that is rarest',
  main: 'that it has most',
  rare: 'that it has least',
  'object-main': 'that is most frequent in its object',
  'object-rare': 'that is rarest in its object',
  'row-main': 'that is most frequent in its row',
  'column-main': 'that is most frequent in its column',
  nearest: 'of the nearest filled cell',
  'nearest-other': 'that is nearest, other than its own',
  'around-hole': 'around its hole',
  'panel-union': 'at the same place in some panel',
  'around-4': 'at its sides',
  'around-diagonal': 'at its corners',
  'blob-touched': 'that its object touches',
  'seen-4': 'that it alone sees along rows and columns',
  'seen-diagonal': 'that it alone sees along diagonals',
  between: 'on both sides of it',
  'input-main': 'that is most frequent in the input',
  'input-corner': 'of the nearest corner of the input',
};

function seenAt(name: string): string | undefined {
  return name.startsWith('see-') ? compass[name.slice('see-'.length)] : undefined;
}

/** A feature that is a colour, as a noun. */
function colourAt(name: string): string {
  const seen = seenAt(name);
  if (seen !== undefined) return `the first colour ${seen}`;
  return `the colour ${compass[name] ?? colours[name] ?? name}`;
}

/** Features that hold or do not, as predicates. */
const flags: Readonly<Record<string, string>> = {
  largest: 'is the largest',
  smallest: 'is the smallest',
  square: 'is as wide as high',
  solid: 'fills its bounding box',
  'at-border': 'touches the border',
  rectangle: 'is a rectangle',
  'is-main': 'has the main colour',
  'is-rare': 'has the rarest colour',
  border: 'is at the border',
  corner: 'is in a corner',
  filled: 'is filled',
  'hole-4': 'is enclosed',
  'in-hull': 'is inside a bounding box',
  checker: 'is on a black square of a chessboard',
  last: 'is the last',
  'row-odd': 'is in an odd row (counted from 0)',
  'column-odd': 'is in an odd column (counted from 0)',
};

/** Features that are numbers, as nouns. */
const numbers: Readonly<Record<string, string>> = {
  rank: 'rank by size',
  'rank-across': 'rank from the left',
  'rank-down': 'rank from the top',
  'rank-across-back': 'rank from the right',
  'rank-down-back': 'rank from the bottom',
  copies: 'number of copies',
  cells: 'number of filled cells',
  colours: 'number of colours',
  main: 'main colour',
  rare: 'rarest colour',
  'row-filled': 'number of filled cells in its row',
  'column-filled': 'number of filled cells in its column',
  'edge-distance': 'distance to the border',
  distance: 'distance to the nearest filled cell',
  'filled-around-4': 'number of filled cells at its sides',
  'filled-around-8': 'number of filled cells around it',
  'largest-square': 'largest square of one colour',
};

/** A condition on a feature: what it is, and its value. */
function condition(name: string, value: string, subject: string): string {
  const isCell = subject === 'cell' || subject === 'object';
  if (name === 'self') return value === '0' ? 'it is empty' : `it has colour ${value}`;
  if (isCell && (compass[name] ?? colours[name] ?? seenAt(name)) !== undefined)
    return `${colourAt(name)} is ${value === '0' ? 'empty' : value === '10' ? 'missing' : value}`;
  const beside = compass[name.replace('filled-', '')];
  if (beside !== undefined)
    return `the cell ${beside} is ${value === '0' ? 'empty' : value === '1' ? 'filled' : 'missing'}`;
  const [, whose = '', own = name] = /^(object|piece|region|only|most|least)-(.*)$/.exec(name) ?? [];
  if (whose === 'only') return `its ${nounOf(own)} is ${value === '1' ? '' : 'not '}unique`;
  if (whose === 'most' || whose === 'least') {
    const best = definite(criteria[own])[whose === 'most' ? 0 : 1];
    return `it is ${value === '1' ? '' : 'not '}the one ${best}`;
  }
  const owner = whose === '' || subject === 'object' ? 'it' : `its ${whose}`;
  const [, where, colour] = /^(beside|corner|in-row-of|in-column-of|touches)-(\d)$/.exec(own) ?? [];
  // features of objects start at 1, others at 0
  const least = whose === '' ? 0 : 1;
  if (where !== undefined) {
    const [holds = '', fails = ''] = relations[where] ?? [];
    return `${owner} ${Number(value) > least ? holds : fails} colour ${colour}`;
  }
  const flag = subject === 'copy' && numbers[own] !== undefined ? `shows the ${numbers[own]}` : flags[own];
  if (flag !== undefined) return `${owner} ${Number(value) > least ? flag : denied(flag)}`;
  const count = Number(value) - least;
  if (own === 'holes') return `${owner} has ${count === 0 ? 'no holes' : plural(count, 'hole')}`;
  if (own === 'symmetric') return `${owner} ${symmetries[count] ?? symmetries[0]}`;
  return `${owner === 'it' ? 'its' : `${owner}'s`} ${nounOf(own)} is ${value}`;
}

const relations: Readonly<Record<string, readonly [holds: string, fails: string]>> = {
  beside: ['touches', 'does not touch'],
  corner: ['touches a corner of', 'touches no corner of'],
  'in-row-of': ['shares a row with', 'shares no row with'],
  'in-column-of': ['shares a column with', 'shares no column with'],
  touches: ['touches', 'does not touch'],
};

const symmetries = [
  'is not symmetric',
  'is symmetric left to right only',
  'is symmetric top to bottom only',
  'is symmetric both ways',
];

function nounOf(name: string): string {
  const gap = name.startsWith('gap-') ? compass[name.slice('gap-'.length)] : undefined;
  return gap === undefined
    ? (numbers[name] ?? name.replaceAll('-', ' '))
    : `distance to the next filled cell ${gap}`;
}

function denied(flag: string): string {
  return flag
    .replace(/^is /, 'is not ')
    .replace(/^has /, 'does not have ')
    .replace(/^shows /, 'does not show ')
    .replace(/^touches /, 'does not touch ')
    .replace(/^fills /, 'does not fill ');
}

const mostCases = 3;
const mostConditions = 2;

/** A learned table as cases; the usual answers, which change nothing, are not mentioned. */
export function casesIn(
  { features, table, keys }: Arguments,
  subject: string,
  phrase: (answer: string, where: string) => string,
  usual: readonly string[] = [],
): string {
  const names = features ?? Array.from({ length: Number(keys ?? 0) }, (_, i) => `image ${i + 1}`);
  const entries = Object.entries(definite(table));
  const cases = Object.entries(Object.groupBy(entries, ([, answer]) => answer))
    .filter(([answer]) => !usual.includes(answer))
    .map(([answer, some = []]) => {
      const conditions = some.map(([key]) => conditionsOf(names, key.split(','), subject)).filter(Boolean);
      return phrase(answer, shortened(conditions, mostConditions, ', or '));
    });
  return shortened(cases, mostCases, '; ');
}

function conditionsOf(names: readonly string[], values: readonly string[], subject: string): string {
  return listed(
    names.flatMap((name, i) => {
      const value = definite(values[i]);
      if (name === 'any') return [];
      return [
        name.startsWith('image ')
          ? `${name} has ${value === '0' ? 'nothing' : value}`
          : condition(name, value, subject),
      ];
    }),
  );
}

export function changesIn({ table }: Arguments): (readonly [string, string])[] {
  return Object.entries(definite(table) as Table).filter(([from, to]) => from !== to);
}

function shortened(all: readonly string[], most: number, separator: string): string {
  const more = all.length - most;
  return more <= 1
    ? all.join(separator)
    : `${all.slice(0, most).join(separator)}${separator}in ${more} more cases`;
}

export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${definite(parts.at(-1))}`;
}
