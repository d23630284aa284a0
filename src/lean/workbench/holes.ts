import type { Position } from '../base/protocol.ts';

/** A place in a proof that is missing. */
export interface Hole {
  readonly start: Position;
  readonly end: Position;
  /** A term that is missing takes `by`; a tactic does not. */
  readonly isTerm: boolean;
}

/** A text whose holes are filled, the last first so that positions stay true. */
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

/** Brackets keep a block together in place of a `sorry`; its further lines are below the first. */
function inPlace(script: string, isTerm: boolean, column: number): string {
  const isPlain = /^[^;\n]*$/.test(script) && !script.includes('<;>');
  if (!isTerm && isPlain) return script;
  const opening = isTerm ? '(by ' : '(';
  const margin = ' '.repeat(column + opening.length);
  return `${opening}${script.replaceAll('\n', `\n${margin}`)})`;
}
