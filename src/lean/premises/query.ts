import { PremiseDeclarations } from './declarations.ts';
import type { OpenedStatement, PremiseQuery } from './retrieve.ts';

/** An elaborated statement, and the text before it. */
interface Asked {
  readonly preamble: string;
  readonly statement: string;
  readonly symbols: readonly string[];
  readonly opened?: OpenedStatement;
}

/**
 * The query for a statement. Library lemmas never mention the preamble's definitions, but may mention the constants in them: `d
 * ∣ total xs` is about sums once `total` is unfolded.
 */
export function queryFor({ preamble, statement, symbols, opened }: Asked): PremiseQuery {
  const bodies = new PremiseDeclarations(preamble).bodiesUnder(symbols).join('\n');
  return {
    symbols: [...new Set([...symbols, ...symbolsIn(bodies)])],
    text: statement,
    ...(opened && { opened }),
  };
}

const operators: ReadonlyMap<string, string> = new Map([
  ['+', 'HAdd.hAdd'],
  ['*', 'HMul.hMul'],
  ['-', 'HSub.hSub'],
  ['/', 'HDiv.hDiv'],
  ['%', 'HMod.hMod'],
  ['^', 'HPow.hPow'],
  ['++', 'HAppend.hAppend'],
  ['::', 'List.cons'],
  ['≤', 'LE.le'],
  ['<', 'LT.lt'],
  ['∣', 'Dvd.dvd'],
  ['∈', 'Membership.mem'],
  ['∘', 'Function.comp'],
]);

/** Dotted names, as in the library, and operators between spaces; unknown ones are harmless. */
export function symbolsIn(text: string): string[] {
  const names = text.match(/\p{Lu}[\p{L}\p{N}_']*(?:\.[\p{L}\p{N}_'!?₀-₉]+)+/gu) ?? [];
  return [...names, ...text.split(/\s+/).flatMap((word) => operators.get(word) ?? [])];
}
