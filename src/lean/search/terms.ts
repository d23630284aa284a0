/** A rough parser for printed terms: good enough to propose steps, not to trust. */

const opening = '([{⟨';
const closing = ')]}⟩';
const wordCharacter = /[\p{L}\p{N}_'!?₀-₉✝.]/u;

/** The head and arguments of a printed application; brackets are kept together. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if (opening.includes(character)) depth++;
    if (closing.includes(character)) depth--;
    if (character === ' ' && depth === 0) {
      if (part !== '') parts.push(part);
      part = '';
    } else part += character;
  }
  return part === '' ? parts : [...parts, part];
}

/** The arguments of every application of a constant in a text, as `f a b` or as `a.f b`. */
export function callsOf(text: string, constant: string): string[][] {
  const last = constant.split('.').at(-1) ?? constant;
  const calls: string[][] = [];
  for (let at = text.indexOf(last); at >= 0; at = text.indexOf(last, at + last.length)) {
    const isWhole =
      !/[\p{L}\p{N}_']/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}_'.]/u.test(text[at + last.length] ?? ' ');
    if (!isWhole) continue;
    const receiver = text[at - 1] === '.' ? wordBefore(text, at - 1) : '';
    const isReceiver = receiver !== '' && !constant.includes(`${receiver}.${last}`);
    calls.push([...(isReceiver ? [receiver] : []), ...argumentsAfter(text, at + last.length)]);
  }
  return calls;
}

/** The text outside all brackets. */
export function outermost(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (opening.includes(character)) depth++;
    else if (closing.includes(character)) depth--;
    else if (depth === 0) outside += character;
  }
  return outside;
}

/** The two sides of the first such operator outside all brackets. */
export function sidesOf(text: string, operator: string): [string, string] | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (opening.includes(character)) depth++;
    else if (closing.includes(character)) depth--;
    else if (depth === 0 && text.startsWith(` ${operator} `, at))
      return [text.slice(0, at), text.slice(at + operator.length + 2)];
  }
  return undefined;
}

/** Replaces a part of a text wherever it is not part of a longer word. */
export function replaceText(text: string, part: string, by: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    const isInside =
      (isWord(part[0]) && isWord(text[at - 1])) || (isWord(part.at(-1)) && isWord(text[at + part.length]));
    if (isInside) continue;
    result += text.slice(from, at) + by;
    from = at + part.length;
  }
  return result + text.slice(from);
}

function isWord(character: string | undefined): boolean {
  return wordCharacter.test(character ?? ' ');
}

/** Exactly one variable. */
export function isName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_'₀-₉✝]*$/u.test(text);
}

function argumentsAfter(text: string, from: number): string[] {
  const found: string[] = [];
  for (let at = from; text[at] === ' ';) {
    const end = atomEnd(text, at + 1);
    if (end === at + 1) break;
    found.push(text.slice(at + 1, end));
    at = end;
  }
  return found;
}

/** Where the atom that begins here ends: a word, a number or a pair of brackets. */
export function atomEnd(text: string, from: number): number {
  if (!opening.includes(text[from] ?? ' ')) {
    let end = from;
    while (wordCharacter.test(text[end] ?? ' ')) end++;
    return reserved.has(text.slice(from, end)) ? from : end;
  }
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (opening.includes(text[at] ?? ' ')) depth++;
    else if (closing.includes(text[at] ?? ' ') && --depth === 0) {
      // `(f x).size` is one atom
      let end = at + 1;
      if (text[end] === '.') while (wordCharacter.test(text[end] ?? ' ')) end++;
      return end;
    }
  }
  return from;
}

const reserved = new Set(['then', 'else', 'with', 'in', 'from', 'do', 'fun', 'at', 'by']);

function wordBefore(text: string, end: number): string {
  let start = end;
  if (closing.includes(text[end - 1] ?? ' ')) {
    for (let depth = 0; start > 0;) {
      const character = text[--start] ?? ' ';
      if (closing.includes(character)) depth++;
      else if (opening.includes(character) && --depth === 0) break;
    }
    return text.slice(start, end);
  }
  while (start > 0 && wordCharacter.test(text[start - 1] ?? ' ')) start--;
  return text.slice(start, end);
}
