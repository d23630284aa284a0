/**
 * Lean text prepared for searching without Lean: comments become blanks, and with `strings: 'blank'` so do the contents of string literals. All other characters keep their offsets.
 */
export function plainCode(text: string, strings: 'keep' | 'blank' = 'keep'): string {
  let plain = '';
  let at = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [start] = found;
    const end = endOf(text, found.index, start);
    plain += text.slice(at, found.index);
    const whole = text.slice(found.index, end);
    const isComment = start.startsWith('--') || start.startsWith('/-');
    const isString = start.endsWith('"');
    plain += isComment || (isString && strings === 'blank') ? blank(whole) : whole;
    at = end;
    token.lastIndex = end;
  }
  return plain + text.slice(at);
}

/** Tokens that can hide other text: comments, raw strings, strings, characters, quoted names. */
const token = /--|\/-|(?<![\p{L}\p{N}_'!?])r#*"|"|'(?:\\.|[^\\'\n])'|«[^»\n]*»/gu;

function endOf(text: string, from: number, start: string): number {
  if (start === '--') return orEnd(text, text.indexOf('\n', from));
  if (start === '/-') return commentEnd(text, from);
  if (start === '"') return stringEnd(text, from + 1);
  if (start.startsWith('r')) {
    const close = `"${'#'.repeat(start.length - 2)}`;
    return orEnd(text, text.indexOf(close, from + start.length), close.length);
  }
  return from + start.length;
}

function orEnd(text: string, at: number, length = 0): number {
  return at < 0 ? text.length : at + length;
}

function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Block comments nest. The character after the first mark is passed over unread: `/-/-/` is a whole comment. */
export function commentEnd(text: string, from: number): number {
  const marks = /\/-|-\//g;
  marks.lastIndex = from + 3;
  let depth = 1;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/-' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
