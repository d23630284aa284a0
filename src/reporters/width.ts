import stringWidth from 'string-width';
import { forPeople } from '../shared/for-people.ts';

/** The width of text on a terminal, and truncation without splitting characters. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const plainAscii = /^[\u0020-\u007E]*$/;

/** In columns; styles have no width. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Truncates to this many columns, with … at the cut. For text without styles. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return '';
  // a UTF-16 unit is at most two columns wide, so most text need not be measured
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

/** Truncates or pads to exactly this many columns. */
export function fit(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, columns);
  const space = ' '.repeat(Math.max(0, columns - widthOf(shown)));
  return align === 'left' ? shown + space : space + shown;
}

/** Foreign text (a goal, a message of Lean) on one line, harmless to a terminal. */
export function oneLine(text: string): string {
  return forPeople(text.trim().replaceAll(/\s+/g, ' '));
}

// A script continues in the same step after the first words, and before the second ones.
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
