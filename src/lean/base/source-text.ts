import type { Position } from './protocol.ts';

const byteOrderMark = '\uFEFF';

/**
 * A Lean file on disk and as Lean reads it: without byte order mark, all line ends `\n`. Positions are
 * Lean's: lines count from 1, columns from 0 in code points.
 */
export class SourceText {
  readonly raw: string;
  /** The text as Lean reads it. */
  readonly text: string;
  readonly #lines: readonly string[];

  constructor(raw: string) {
    this.raw = raw;
    const unmarked = raw.startsWith(byteOrderMark) ? raw.slice(1) : raw;
    // a line that ends in CR CR LF keeps both returns: sent in a message it loses one, as in Lean's own reading
    this.text = unmarked.replaceAll(/(?<!\r)\r\n/g, '\n');
    this.#lines = this.text.split('\n');
  }

  /** The text between two positions, as Lean reads it. */
  between(start: Position, end: Position): string {
    return this.text.slice(this.#offset(start), this.#offset(end));
  }

  /** The text before a position without some ranges; the remaining lines keep their numbers. */
  before(end: Position, without: readonly Stretch[]): string {
    let text = '';
    let from = 0;
    const stop = this.#offset(end);
    for (const stretch of without) {
      const start = this.#offset(stretch.start);
      if (start >= stop) break;
      text += this.text.slice(from, start);
      from = Math.min(stop, this.#offset(stretch.end));
      text += this.text.slice(start, from).replaceAll(/[^\n]/g, '');
    }
    return text + this.text.slice(from, stop);
  }

  /** The lines that a range touches, unchanged, with a few before and after; `first` is the first line number. */
  around(start: Position, end: Position, more = 3): { readonly first: number; readonly text: string } {
    const first = Math.max(1, start[0] - more);
    const lines = this.raw.split('\n');
    const text = lines.slice(first - 1, end[0] + more).join('\n');
    return { first, text: end[0] + more < lines.length ? `${text}\n` : text };
  }

  /** The file with the text between two positions replaced. Everything else, line ends included, stays. */
  replace(start: Position, end: Position, by: string): string {
    const lineEnd = this.raw.includes('\r\n') ? '\r\n' : '\n';
    const before = this.raw.slice(0, this.#rawOffset(start));
    return before + by.replaceAll('\n', lineEnd) + this.raw.slice(this.#rawOffset(end));
  }

  #offset([line, column]: Position): number {
    let offset = 0;
    for (const text of this.#lines.slice(0, line - 1)) offset += text.length + 1;
    return (
      offset +
      Array.from(this.#lines[line - 1] ?? '')
        .slice(0, column)
        .join('').length
    );
  }

  #rawOffset(position: Position): number {
    const offset = this.#offset(position);
    const isMarked = this.raw.startsWith(byteOrderMark);
    let raw = isMarked ? 1 : 0;
    for (let read = 0; read < offset; read++, raw++) if (this.raw.startsWith('\r\n', raw)) raw++;
    return raw;
  }
}

interface Stretch {
  readonly start: Position;
  readonly end: Position;
}
