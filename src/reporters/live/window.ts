import type { Output } from '../reporter.ts';
import { widthOf } from '../width.ts';

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
// synchronised output: the terminal shows everything between the two at once, or ignores them
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';
const eraseLine = '\u001B[K';
const eraseBelow = '\u001B[J';

/**
 * A window at the bottom of a terminal; other text scrolls above it. Shown: the cursor is hidden at the end of its last
 * line. Not shown: the cursor is visible and at the start of a line.
 */
export class BottomWindow {
  readonly #output: Output;
  /** The width of each painted line; empty: not shown. */
  #painted: number[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** Lines must be narrower than the terminal, and fewer than its rows. `above` consists of complete lines. */
  paint(lines: readonly string[], above: string): void {
    const start = this.#painted.length === 0 ? hideCursor : this.#toTop();
    const scrolled = above === '' ? '' : `${eraseBelow}${above}`;
    const body = lines.map((line) => line + eraseLine).join('\n');
    this.#output.write(`${beginUpdate}${start}${scrolled}${body}${eraseBelow}${endUpdate}`);
    this.#painted = lines.map(widthOf);
  }

  /** Removes the window and shows the cursor. */
  remove(): void {
    if (this.#painted.length === 0) return;
    this.#output.write(`${this.#toTop()}${eraseBelow}${showCursor}`);
    this.#painted = [];
  }

  /** A narrowed terminal has wrapped our lines. */
  #toTop(): string {
    const columns = this.#output.columns ?? 80;
    const rows = this.#painted.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return rows > 1 ? `\r\u001B[${rows - 1}A` : '\r';
  }
}
