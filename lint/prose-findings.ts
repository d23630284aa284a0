import { maxSentenceWords, proseRules } from './prose-rules.ts';

export interface ProseFinding {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly instead: string;
}

/** The findings of the rules in a Markdown text, in the order of its lines. */
export function findingsIn(markdown: string): ProseFinding[] {
  const lines = proseLines(markdown);
  const phrases = lines.flatMap((prose, index) => {
    // a phrase may continue on the next line
    const both = `${prose} ${lines[index + 1]?.trimStart() ?? ''}`;
    return proseRules.flatMap(({ pattern, instead }) =>
      [...both.matchAll(pattern)]
        .filter((match) => match.index < prose.length)
        .map(([text]) => ({ line: index + 1, text, instead })),
    );
  });
  return [...phrases, ...longSentences(lines)].toSorted((one, other) => one.line - other.line);
}

/** The lines with code, addresses and generated identifiers blanked out. */
export function proseLines(markdown: string): string[] {
  let isCode = false;
  return markdown.split('\n').map((line) => {
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      return '';
    }
    if (isCode || /^ {4}\S/.test(line)) return '';
    return line.replaceAll(/`[^`]*`/g, 'Code').replaceAll(/\]\([^)]*\)/g, ']');
  });
}

/** Sentences in paragraphs and lists; tables and headings are fragments. */
function longSentences(lines: readonly string[]): ProseFinding[] {
  const findings: ProseFinding[] = [];
  let start = 0;
  for (const [index, line] of [...lines, ''].entries()) {
    if (line.trim() !== '' && !/^\s*(?:[|#>]|[-*] |\d+\. )/.test(line)) continue;
    findings.push(...tooLong(lines.slice(start, index), start));
    start = index;
  }
  return findings;
}

function tooLong(paragraph: readonly string[], start: number): ProseFinding[] {
  if (/^\s*[|#>]/.test(paragraph[0] ?? '')) return [];
  return paragraph
    .join(' ')
    .split(/(?<=[.!?:;])\s+(?=[A-Z`*0-9])/)
    .filter((sentence) => sentence.split(/\s+/).length > maxSentenceWords)
    .map((sentence) => ({
      line: start + 1,
      text: `${sentence.trim().slice(0, 60)}…`,
      instead: `at most ${maxSentenceWords} words per sentence`,
    }));
}
