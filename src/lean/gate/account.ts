import type { Declared, Position } from '../base/protocol.ts';
import { declaringWords, type DeclaringWord } from './declaring-words.ts';

/** What Lean's parser found in the judged text, and what was declared there. */
export interface Account {
  readonly written: readonly Declared[];
  /** Ranges where a declaration keyword begins no declaration: quotations, strings, attributes. */
  readonly unread: readonly (readonly [Position, Position])[];
}

/** A declaration written in the text that does not exist, or differs from what is written. */
export interface Missing extends DeclaringWord {
  readonly why: string;
}

/** Types and axioms are judged with their uses; every other written declaration gets its own verdict. */
const withVerdict: ReadonlySet<string> = new Set(
  'theorem lemma example def abbrev instance opaque'.split(' '),
);

const dropped =
  'it is written here, but Lean declares nothing under it: a macro or a command around it drops it';
const taken = 'its own syntax or macro decides what this declares; only --against fixes what it must prove';

/**
 * Declarations in the text that Lean's account does not cover. Every keyword found by Lean's lexical rules must
 * be in the account, and everything in the account must be declared as written. `isToldOf` returns whether a
 * constant has a verdict.
 */
export function missingFrom(
  text: string,
  account: Account,
  isToldOf: (constant: string) => boolean,
  ignored = '',
): Missing[] {
  const met = new Set(account.written.map(({ at }) => String(at)));
  const unmet = declaringWords(text.replaceAll('\r\n', '\n'))
    .filter(({ at }) => !met.has(String(at)) && !account.unread.some((range) => isIn(at, range)))
    .map((word) => ({ ...word, why: dropped }));
  const notDeclared = account.written.flatMap((one): Missing[] => {
    if (one.expected) return [];
    if (one.taken) return [{ ...one, why: taken }];
    const isThere = withVerdict.has(one.word) ? one.constants.some(isToldOf) : one.constants.length > 0;
    return isThere ? [] : [{ ...one, why: dropped }];
  });
  return [...unmet, ...notDeclared].filter(({ word }) => word !== ignored);
}

function isIn(at: Position, [start, end]: readonly [Position, Position]): boolean {
  return !isBefore(at, start) && isBefore(at, end);
}

export function isBefore([line, column]: Position, [otherLine, otherColumn]: Position): boolean {
  return line < otherLine || (line === otherLine && column < otherColumn);
}
