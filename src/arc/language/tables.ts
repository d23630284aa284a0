import { featurePrice } from './features/features.ts';
import type { Answers, Table } from './operation.ts';

/** The values allowed in learned tables, and their costs. */

export const colourAnswers: Answers = {
  description: 'a colour 0 to 9',
  knows: (answer) => /^[0-9]$/.test(answer),
};

/** A colour, or "@" and the name of the place to read it from. */
export function readingAnswers(names: readonly string[]): Answers {
  const known = new Set(names);
  return {
    description: 'a colour 0 to 9 or "@" and the name of where to read it',
    knows: (answer) => colourAnswers.knows(answer) || (answer.startsWith('@') && known.has(answer.slice(1))),
  };
}

/** Why a table is invalid, or undefined: every key needs the right number of values, and every value must be known. */
export function tableFault(
  table: Readonly<Record<string, unknown>>,
  keyed: number,
  answers: Answers,
): string | undefined {
  for (const [key, answer] of Object.entries(table)) {
    const values = key.split(',');
    if (values.length !== keyed || !values.every((value) => /^\d{1,3}$/.test(value)))
      return `key "${key}" is not ${keyed} ${keyed === 1 ? 'number' : 'numbers'}`;
    if (typeof answer !== 'string' || !answers.knows(answer))
      return `"${key}" says ${JSON.stringify(answer)}, not ${answers.description}`;
  }
  return undefined;
}

/** The price of a table over features: the features, then the entries. */
export function tablePrice({
  features,
  table,
}: {
  readonly features: readonly string[];
  readonly table: Table;
}): number {
  const asked = features.reduce((sum, name) => sum + featurePrice(name), 0);
  return 8 + asked + entriesPrice(table);
}

/** Keeping a cell is the default and costs least; reading a colour elsewhere costs more than naming one. */
export function entriesPrice(table: Table): number {
  let price = 0;
  for (const answer of Object.values(table))
    price += answer === '@self' ? 0.25 : answer.startsWith('@') ? 3 : 1;
  return Math.min(50, Math.round(price));
}
