/** Arguments of a LaTeX macro, read from the text after it: an optional `[…]`, then `{…}`. */
export interface MacroArguments {
  readonly optional: string;
  readonly required: string;
  /** Where the remaining text starts. */
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

/** `[title]` after `\begin{…}`, and where the body begins. */
export function readTitle(text: string, from: number): { readonly title: string; readonly end: number } {
  const found = readBracketed(text, from, '[', ']');
  return { title: found?.content.trim() ?? '', end: found?.end ?? from };
}

export const skipStar = (text: string, at: number): number => (text[at] === '*' ? at + 1 : at);

/** Macros that define others, with the number of following groups that are not document text. */
const definitions: ReadonlyMap<string, number> = new Map([
  ['newcommand', 2],
  ['renewcommand', 2],
  ['providecommand', 2],
  ['DeclareRobustCommand', 2],
  ['DeclareMathOperator', 2],
  ['newenvironment', 3],
  ['renewenvironment', 3],
  ['NewDocumentCommand', 3],
  ['RenewDocumentCommand', 3],
  ['DeclareDocumentCommand', 3],
  ['NewDocumentEnvironment', 4],
  ['newtheorem', 2],
  ['newif', 1],
  ['def', 1],
  ['gdef', 1],
  ['edef', 1],
  ['xdef', 1],
]);

/** Where the document text continues after a macro, skipping its definition if it has one. */
export function skipDefinition(text: string, macro: string, from: number): number {
  const groups = definitions.get(macro);
  if (groups === undefined) return from;
  let at = skipStar(text, from);
  for (let group = 0; group < groups;) {
    at = skipBlanks(text, at);
    const bracketed = readBracketed(text, at, '{', '}') ?? readBracketed(text, at, '[', ']');
    if (bracketed) {
      if (text[at] === '{') group++;
      at = bracketed.end;
    } else if (text[at] === '\\') {
      // the name that is defined, without braces
      if (!macro.endsWith('def')) group++;
      at += /^\\(?:[A-Za-z@]+|.)/s.exec(text.slice(at))?.[0].length ?? 1;
    } else if (macro.endsWith('def') && at < text.length) at++;
    else return at;
  }
  return at;
}

/** A comma-separated list of labels or names, without comments and surrounding blanks. */
export function readList(argument: string): readonly string[] {
  return argument
    .split(',')
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
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
