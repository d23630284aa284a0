import type { Position } from '../base/protocol.ts';

/** A word of a text that begins a declaration. */
export interface DeclaringWord {
  readonly word: string;
  /** The name after it; empty if there is none. */
  readonly name: string;
  readonly at: Position;
}

const declaring: ReadonlySet<string> = new Set(
  'theorem lemma example def abbrev instance opaque axiom inductive coinductive structure class'.split(' '),
);

/** The characters that can begin a name, and those that can follow, by Lean's rules. */
const letter =
  'A-Za-z_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u017F\u0391-\u039F\u03A1\u03A2\u03A4-\u03A9\u03B1-\u03BA\u03BC-\u03FB\u1F00-\u1FFE\u2100-\u214F\u{1D49C}-\u{1D59F}';
const part = `(?:[${letter}][${letter}0-9'!?\u2080-\u2089\u2090-\u209C\u1D62-\u1D6A\u2C7C]*|«[^»]*»)`;
const nameAt = String.raw`${part}(?:\.${part})*`;

/** One token, classified as far as needed. */
const token = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    '(?<comment>/-)',
    String.raw`r(?<hashes>#*)"(?:[^"]|"(?!\k<hashes>))*"\k<hashes>`,
    String.raw`"(?:[^"\\]|\\[^])*"?`,
    String.raw`'(?:\\(?:x[0-9a-fA-F]{2}|u\{?[0-9a-fA-F]+\}?|[^])|[^\\'])'`,
    `\`+${nameAt}`,
    '0[xX][0-9a-fA-F]+|[0-9]+',
    `(?<name>${nameAt})`,
    // symbols whose end is not the beginning of a comment
    String.raw`<-|->|//|\\/|/\\`,
    '(?<other>[^])',
  ].join('|'),
  'uy',
);

interface Found {
  readonly word: string;
  readonly start: number;
  name: string;
}

/**
 * The words of a text that begin declarations, read by Lean's rules for comments, strings and names alone. The text's own syntax, macros and code cannot influence this, so a declaration missing from Lean's account was dropped.
 */
export function declaringWords(text: string): DeclaringWord[] {
  const found: Found[] = [];
  const scan = new RegExp(token);
  let before = { word: '', start: 0 };
  /** Brackets that are open since `@[` or `attribute [`. */
  let attributes = 0;
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const { space, comment, name, other } = match.groups ?? {};
    if (comment !== undefined) scan.lastIndex = endOfComment(text, match.index);
    if (space !== undefined || comment !== undefined) continue;
    const here = { word: match[0], start: match.index };
    const last = found.at(-1);
    if (last?.start === before.start && name !== undefined) last.name = name;
    if (other === '[' && (attributes > 0 || before.word === '@' || before.word === 'attribute')) attributes++;
    if (other === ']' && attributes > 0) attributes--;
    const isField = text[match.index - 1] === '.';
    const isOtherUse =
      (attributes > 0 && /^(?:instance|class)$/.test(here.word)) ||
      (here.word === 'instance' && before.word === 'deriving') ||
      (before.word === 'class' && /^(?:inductive|abbrev)$/.test(here.word));
    if (name !== undefined && declaring.has(name) && !isField && !isOtherUse)
      found.push({ ...here, name: '' });
    before = here;
  }
  // `lemma` is a name like any other in Lean's own grammar
  return placed(
    text,
    found.filter(({ word, name }) => word !== 'lemma' || name !== ''),
  );
}

/** Comments nest; `/--/` is not the end of one. */
function endOfComment(text: string, start: number): number {
  const ends = /\/-|-\//g;
  ends.lastIndex = start + (/[-!]/.test(text[start + 2] ?? '') ? 3 : 2);
  for (let depth = 1; ;) {
    const match = ends.exec(text);
    if (!match) return text.length;
    depth += match[0] === '/-' ? 1 : -1;
    if (depth === 0) return ends.lastIndex;
  }
}

/** Lines count from 1, columns from 0 in code points, as Lean counts them. */
function placed(text: string, found: readonly Found[]): DeclaringWord[] {
  let line = 1;
  let lineStart = 0;
  return found.map(({ word, name, start }) => {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < start;) {
      line++;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    return { word, name, at: [line, Array.from(text.slice(lineStart, start)).length] };
  });
}
