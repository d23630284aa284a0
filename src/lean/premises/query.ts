import { PremiseDeclarations } from './declarations.ts';
import type { OpenedStatement, PremiseQuery } from './retrieve.ts';

/** A statement as Lean has elaborated it, and what is above it. */
interface Asked {
  readonly preamble: string;
  readonly statement: string;
  readonly symbols: readonly string[];
  readonly opened?: OpenedStatement;
}

/**
 * What to ask the index for a statement. No lemma of the library mentions the preamble's definitions; what those consist of, it
 * does: `d ∣ total xs` is about sums once `total` is looked into.
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

/** Names with a dot, as the library has them, and operators between spaces; what the index does not know does no harm. */
export function symbolsIn(text: string): string[] {
  const names = text.match(/\p{Lu}[\p{L}\p{N}_']*(?:\.[\p{L}\p{N}_'!?₀-₉]+)+/gu) ?? [];
  return [...names, ...text.split(/\s+/).flatMap((word) => operators.get(word) ?? [])];
}
