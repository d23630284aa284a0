import { decline, kernelRefuses } from './outcome.ts';

/** Reads values from parsed JSON. Anything unexpected is refused as malformed. */
export type JsonRow = Readonly<Record<string, unknown>>;

export const malformed = (what: string): never =>
  kernelRefuses(`the export is malformed: ${what}`, 'malformed');

export function object(value: unknown): JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonRow)
    : malformed('an object is expected');
}
export function jsonList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : malformed('an array is expected');
}
export function jsonCount(value: unknown): number {
  if (typeof value !== 'number' || value < 0 || !Number.isInteger(value))
    return malformed('a natural number is expected');
  // -0 is 0
  return Number.isSafeInteger(value) ? value + 0 : decline('a number is too large');
}
export function jsonText(value: unknown): string {
  if (typeof value !== 'string') return malformed('a text is expected');
  return value.isWellFormed() ? value : malformed('a text with half a character');
}
export function flag(value: unknown): boolean {
  return typeof value === 'boolean' ? value : malformed('true or false is expected');
}

/** The one of these fields that a row has. With two of them, readers could disagree on its meaning. */
export function kindOf<Kind extends string>(row: JsonRow, kinds: readonly Kind[]): Kind {
  const [kind, ...others] = kinds.filter((one) => Object.hasOwn(row, one));
  return kind === undefined || others.length > 0
    ? malformed(`a row has to have one of ${kinds.join(', ')}`)
    : kind;
}

/** Parsing a number with more digits takes longer than any check. */
const MAX_DIGITS = 1_000_000;

export function natural(value: unknown): bigint {
  const digits = jsonText(value);
  if (!/^(?:0|[1-9]\d*)$/.test(digits)) return malformed('a number literal is not a number');
  return digits.length > MAX_DIGITS ? decline('a number literal has too many digits') : BigInt(digits);
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return malformed('it is not JSON');
  }
}

const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, one) => sum + keysIn(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** Parses a JSON object. Duplicate keys are refused, because readers differ in which one counts. */
export function parseRow(json: string): JsonRow {
  const row = object(parse(json));
  if (JSON.stringify(row) === json) return row;
  let written = 0;
  for (const token of json.matchAll(tokens)) if (token[1] !== undefined) written++;
  return written === keysIn(row) ? row : malformed('a key occurs twice in an object');
}
