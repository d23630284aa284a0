import stringWidth from 'string-width';
import { forPeople } from '../shared/for-people.ts';

/** Text on a terminal: how wide it is, and cutting it without cutting a character. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const plainAscii = /^[\u0020-\u007E]*$/;

/** In columns; styles count for nothing. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** At most this many columns, with … where something is missing. For text without styles. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  // one cannot be wider than two columns a UTF-16 unit, so most text needs no measuring
  if (plainAscii.test(text) ? text.length <= columns : text.length * 2 <= columns) return text;
  let width = 0;
  let kept = '';
  let keptWithRoom = '';
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) return `${keptWithRoom}…`;
    kept += segment;
    if (width <= columns - 1) keptWithRoom = kept;
  }
  return kept;
}

/** Cut or filled to exactly this many columns. */
export function fit(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, columns);
  const space = ' '.repeat(Math.max(0, columns - widthOf(shown)));
  return align === 'left' ? shown + space : space + shown;
}

/** Foreign text (a goal, a message of Lean) on one line, harmless to a terminal. */
export function oneLine(text: string): string {
  return forPeople(text.trim().replaceAll(/\s+/g, ' '));
}

// A script continues in the same step after these words, and before those.
const goesOn = /(?:\b(?:by|with|do|then|else|fun|at|using)|=>|:=|[,([{⟨;·+*/∧∨→]|<;>)$/;
const continues = /^(?:[·|)\]}⟩+*/∧∨→]|<;>)/;

/** A proof on one line, its steps joined by `;`, for display only. */
export function proofLine(proof: string): string {
  let line = '';
  for (const step of proof.split('\n').map(oneLine)) {
    if (step === '') continue;
    if (line !== '') line += goesOn.test(line) || continues.test(step) ? ' ' : '; ';
    line += step;
  }
  return line;
}
