import type { Position } from '../base/protocol.ts';

/** A missing part of a proof. */
export interface Hole {
  readonly start: Position;
  readonly end: Position;
  /** A missing term needs `by`; a missing tactic does not. */
  readonly isTerm: boolean;
}

/** Fills the holes of a text, last first so that earlier positions stay valid. */
export function fill(text: string, holes: readonly Hole[], fillings: readonly string[]): string {
  const lines = text.split('\n').map((line) => Array.from(line));
  for (const [index, { start, end, isTerm }] of [...holes.entries()].reverse()) {
    const filling = inPlace(fillings[index] ?? 'sorry', isTerm, start[1]);
    const before = lines[start[0] - 1]?.slice(0, start[1]) ?? [];
    const after = lines[end[0] - 1]?.slice(end[1]) ?? [];
    const middle = `${before.join('')}${filling}${after.join('')}`;
    lines.splice(start[0] - 1, end[0] - start[0] + 1, ...middle.split('\n').map((line) => Array.from(line)));
  }
  return lines.map((line) => line.join('')).join('\n');
}

/** Parentheses keep a block together in place of a `sorry`; its further lines are indented below the first. */
function inPlace(script: string, isTerm: boolean, column: number): string {
  const isPlain = /^[^;\n]*$/.test(script) && !script.includes('<;>');
  if (!isTerm && isPlain) return script;
  const opening = isTerm ? '(by ' : '(';
  const margin = ' '.repeat(column + opening.length);
  return `${opening}${script.replaceAll('\n', `\n${margin}`)})`;
}
