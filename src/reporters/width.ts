import { stripVTControlCharacters } from 'node:util';
import { forPeople } from '../shared/for-people.ts';

/** Text on a terminal: how wide it is, and cutting it without cutting a character. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const plainAscii = /^[\u0020-\u007E]*$/;
// East Asian Wide and Fullwidth (Unicode 16, whole blocks) and what is an emoji by itself
const wide =
  /[\u1100-\u115F\u2329\u232A\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{17000}-\u{18CFF}\u{1AFF0}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u;
const invisible = /^[\p{Mark}\p{Format}\p{Control}]*$/u;

/** In columns; styles count for nothing. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  if (plainAscii.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes.segment(bare)) width += columnsOf(segment);
  return width;
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
    width += columnsOf(segment);
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

function columnsOf(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** Foreign text (a goal, a message of Lean) on one line, harmless to a terminal. */
export function oneLine(text: string): string {
  return forPeople(text.trim().replaceAll(/\s+/g, ' '));
}

// After these a script goes on in the same step, and before those too.
const goesOn = /(?:\b(?:by|with|do|then|else|fun|at|using)|=>|:=|[,([{⟨;·+*/∧∨→]|<;>)$/;
const continues = /^(?:[·|)\]}⟩+*/∧∨→]|<;>)/;

/** A proof on one line, its steps joined by `;`: for people, who find the real one in the ledger. */
export function proofLine(proof: string): string {
  let line = '';
  for (const step of proof.split('\n').map(oneLine)) {
    if (step === '') continue;
    if (line !== '') line += goesOn.test(line) || continues.test(step) ? ' ' : '; ';
    line += step;
  }
  return line;
}
