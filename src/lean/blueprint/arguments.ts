/** Arguments of a LaTeX macro, read from the text behind it: `[…]` if there is one, then `{…}`. */
export interface MacroArguments {
  readonly optional: string;
  readonly required: string;
  /** Where the text goes on. */
  readonly end: number;
}

export function readArguments(text: string, from: number): MacroArguments {
  const optional = readBracketed(text, from, '[', ']');
  const required = readBracketed(text, optional?.end ?? from, '{', '}');
  return {
    optional: optional?.content ?? '',
    required: required?.content ?? '',
    end: required?.end ?? optional?.end ?? from,
  };
}

/** `[title]` behind `\begin{…}`, and where the body begins. */
export function readTitle(text: string, from: number): { readonly title: string; readonly end: number } {
  const found = readBracketed(text, from, '[', ']');
  return { title: found?.content.trim() ?? '', end: found?.end ?? from };
}

/** A list of labels or names: parts between commas, without comments and the blanks around them. */
export function readList(argument: string): readonly string[] {
  return argument
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readBracketed(
  text: string,
  from: number,
  open: string,
  close: string,
): { readonly content: string; readonly end: number } | undefined {
  const start = skipBlanks(text, from);
  if (text[start] !== open) return undefined;
  let content = '';
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\') {
      content += text.slice(at, at + 2);
      at++;
      continue;
    }
    if (character === '%') {
      at = endOfLine(text, at) - 1;
      continue;
    }
    if (character === open || character === '{') depth++;
    if (character === close || character === '}') depth--;
    if (depth === 0) return { content: content.slice(1), end: at + 1 };
    content += character;
  }
  return undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === '%') at = endOfLine(text, at);
    else if (/\s/.test(text[at] ?? '')) at++;
    else return at;
  }
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline + 1;
}
