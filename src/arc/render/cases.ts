import { definite } from '../../core/errors.ts';
import type { Arguments } from '../language/operation.ts';
import { plural } from '../../shared/plural.ts';
import { criterionWords } from './words.ts';

/** Learned tables in English: features as conditions, entries as cases. */

/** The colour that a table names, or where it reads one. */
export function colourPhrase(answer: string, where: string): string {
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
  'main-colour': 'the main colour',
  'rare-colour': 'the rarest colour',
  main: 'its main colour',
  rare: 'its rarest colour',
  'object-main': 'the main colour of its object',
  'object-rare': 'the rarest colour of its object',
  'row-main': 'the main colour of its row',
  'column-main': 'the main colour of its column',
  nearest: 'of the nearest filled cell',
  'nearest-other': 'the nearest other colour',
  'around-hole': 'around its hole',
  'panel-union': 'at the same place in some panel',
  'around-4': 'at its sides',
  'around-diagonal': 'at its corners',
  'blob-touched': 'that its object touches',
  'seen-4': 'the only other colour in sight along its row and column',
  'seen-diagonal': 'the only other colour in sight along its diagonals',
  between: 'on both sides of it',
  'input-main': 'the main colour of the input',
  'input-corner': 'of the nearest corner of the input',
};

function seenAt(name: string): string | undefined {
  return name.startsWith('see-') ? compass[name.slice('see-'.length)] : undefined;
}

/** A feature that is a colour, as a noun. */
function colourAt(name: string): string {
  const seen = seenAt(name);
  if (seen !== undefined) return `the first colour ${seen}`;
  const noun = compass[name] ?? colours[name] ?? name;
  return /^(the|its) /.test(noun) ? noun : `the colour ${noun}`;
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
  'distance-odd': 'is an odd number of steps from the nearest filled cell',
  'main-around-8': 'has the main colour next to it',
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
  'row-of-three': 'row modulo 3',
  'column-of-three': 'column modulo 3',
  'row-from-end-of-three': 'row from the bottom modulo 3',
  'column-from-end-of-three': 'column from the right modulo 3',
  'sides-seen': 'number of sides with a filled cell in sight',
  'row-filled': 'number of filled cells in its row',
  'column-filled': 'number of filled cells in its column',
  'edge-distance': 'distance to the border',
  distance: 'distance to the nearest filled cell',
  'filled-around-4': 'number of filled cells at its sides',
  'filled-around-8': 'number of filled cells around it',
  'largest-square': 'largest square of one colour',
};

/** Features with a phrase for each value. */
const values: Readonly<Record<string, readonly string[]>> = {
  'panel-share': [
    'it is empty in every panel',
    'it is empty here but filled in another panel',
    'it is filled in no other panel',
    'it is filled in some other panels',
    'it is filled in every panel',
  ],
  'top-half': ['it is in the upper half', 'it is in the middle row', 'it is in the lower half'],
  'left-half': ['it is in the left half', 'it is in the middle column', 'it is in the right half'],
  diagonal: ['it is on no diagonal', 'it is on the main diagonal', 'it is on the other diagonal'],
  'region-oblong': [
    'it is in none of the largest rectangles',
    'it is in the largest empty rectangle',
    'it is in the largest filled rectangle',
  ],
};

/** A condition on a feature: what it is, and its value. */
function condition(name: string, value: string, subject: string): string {
  const isCell = subject === 'cell' || subject === 'object';
  const phrase = values[name]?.[Number(value)];
  if (phrase !== undefined) return phrase;
  if (name === 'self') return value === '0' ? 'it is empty' : `it has colour ${value}`;
  if (isCell && (compass[name] ?? colours[name] ?? seenAt(name)) !== undefined)
    return `${colourAt(name)} is ${value === '0' ? 'empty' : value === '10' ? 'missing' : value}`;
  const beside = compass[name.replace('filled-', '')];
  if (beside !== undefined)
    return `the cell ${beside} is ${value === '0' ? 'empty' : value === '1' ? 'filled' : 'missing'}`;
  if (name.startsWith('image ')) return `${name} has ${value === '0' ? 'nothing' : value}`;
  const [, whose = '', own = name] = /^(object|piece|region|only|most|least)-(.*)$/.exec(name) ?? [];
  if (whose === 'only') return `its ${nounOf(own)} is ${value === '1' ? '' : 'not '}unique`;
  if (whose === 'most' || whose === 'least') {
    const best = definite(criterionWords[own])[whose === 'most' ? 0 : 1];
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
  const noun = nounOf(own);
  if (noun.startsWith('number of ')) {
    const counted = noun.slice('number of '.length);
    return `${owner} has ${value} ${value === '1' ? counted.replace(/(cell|side|colour)s/, '$1').replace('copies', 'copy') : counted}`;
  }
  return `${owner === 'it' ? 'its' : `${owner}'s`} ${noun} is ${value}`;
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
  const entries = Object.entries(definite(table)).map(([key, answer]) => ({ key: key.split(','), answer }));
  const seen = names.map((_, i) => new Set(entries.map(({ key }) => key[i])).size);
  const cases = Object.entries(Object.groupBy(entries, ({ answer }) => answer))
    .filter(([answer]) => !usual.includes(answer))
    .map(([answer, some = []]) => {
      const conditions = merged(some.map(({ key }) => key.map((value) => [value])))
        .map((sets) =>
          joinedByCommas(
            names.flatMap((name, i) => {
              const set = definite(sets[i]);
              // a feature that may have any of its values is no condition
              return name === 'any' || (set.length > 1 && set.length === seen[i])
                ? []
                : [oneOf(set.map((value) => condition(name, value, subject)))];
            }),
          ),
        )
        .filter(Boolean);
      return phrase(answer, shortened(conditions, mostConditions, ', or '));
    });
  return shortened(cases, mostCases, '; ');
}

/** Joins the keys of a table that differ in one feature: [1, 3] and [1, 4] become [1, 3 or 4]. */
function merged(keys: readonly string[][][]): readonly string[][][] {
  const width = keys[0]?.length ?? 0;
  let left = keys;
  for (let i = 0; i < width; i++) {
    const groups = Map.groupBy(left, (key) => JSON.stringify(key.with(i, [])));
    left = [...groups.values()].map((alike) =>
      definite(alike[0]).with(
        i,
        alike.flatMap((key) => definite(key[i])),
      ),
    );
  }
  return left;
}

/** "Its size is 3" and "its size is 4" become "its size is 3 or 4". */
function oneOf(phrases: readonly string[]): string {
  const words = phrases.map((phrase) => phrase.split(' '));
  const first = definite(words[0]);
  const least = Math.min(...words.map(({ length }) => length)) - 1;
  const count = (
    wordOf: (phrase: readonly string[], i: number) => string | undefined,
    most: number,
  ): number => {
    let i = 0;
    while (i < most && words.every((phrase) => wordOf(phrase, i) === wordOf(first, i))) i++;
    return i;
  };
  const before = count((phrase, i) => phrase[i], least);
  const after = count((phrase, i) => phrase.at(-1 - i), least - before);
  const middles = words.map((phrase) => phrase.slice(before, phrase.length - after).join(' '));
  const ends = first.slice(first.length - after);
  return [...first.slice(0, before), joinedByCommas(middles, 'or'), ...ends].join(' ');
}

export function changesIn({ table }: Arguments): (readonly [string, string])[] {
  return Object.entries(definite(table)).filter(([from, to]) => from !== to);
}

function shortened(all: readonly string[], most: number, separator: string): string {
  const more = all.length - most;
  return more <= 1
    ? all.join(separator)
    : `${all.slice(0, most).join(separator)}${separator}in ${more} more cases`;
}

export function joinedByCommas(parts: readonly string[], word = 'and'): string {
  return parts.length < 2
    ? parts.join('')
    : `${parts.slice(0, -1).join(', ')} ${word} ${definite(parts.at(-1))}`;
}
