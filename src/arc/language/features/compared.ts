/**
 * Two features of a cell compared, `one=other`: what a table says of "the same colour as" or "as many as" holds for colours and
 * numbers that no pair shows.
 */
const sign = '=';

export function comparedName(one: string, other: string): string {
  return `${one}${sign}${other}`;
}

/** The features that a name compares; a name alone stands for itself. */
export function featuresIn(name: string): readonly string[] {
  return name.split(sign);
}

/** 1 where both are the same colour, 0 where they differ or one is none. */
export function sameColours(one: Uint8Array, other: Uint8Array): Uint8Array {
  const same = new Uint8Array(one.length);
  for (let i = 0; i < same.length; i++)
    if (one[i] === other[i] && one[i] !== 0 && one[i] !== beyondEdge) same[i] = 1;
  return same;
}

/** 0, 1 or 2: less, as many, more. */
export function comparedAmounts(one: Uint8Array, other: Uint8Array): Uint8Array {
  const compared = new Uint8Array(one.length);
  for (let i = 0; i < compared.length; i++) compared[i] = 1 + Math.sign((one[i] ?? 0) - (other[i] ?? 0));
  return compared;
}

const beyondEdge = 10;

const amounts =
  /^(row-filled|column-filled|distance|edge-distance|gap-\w+|(object|piece)-(x|y|x-back|y-back|size|width|height|holes|copies|rank)|region-size|object-colours|grid-objects|panel-(row|column)(-back)?|largest-square|blob-(holders|holdings|abreast|aligned))$/;

/** Whether a feature counts or measures, so that more or less of it means something. */
export function isAmount(name: string): boolean {
  return amounts.test(name);
}
