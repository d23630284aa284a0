const escape = '\u001B';
const pieces = new RegExp(`${escape}\\[[?\\d;]*[a-zA-Z]|[\\r\\n]|[^\\r\\n${escape}]+|${escape}`, 'g');
const up = new RegExp(`^${escape}\\[\\d+A$`);
/** Updates that are shown at once, and colours. */
const ignored = new RegExp(`^${escape}\\[(?:\\?2026[hl]|[\\d;]*m)$`);

/**
 * A small terminal: lines, a cursor, and the escape sequences used by the live window. Any other sequence throws, so
 * that a test notices it.
 */
export class Screen {
  readonly columns: number;
  readonly lines: string[] = [''];
  row = 0;
  column = 0;
  cursorVisible = true;

  constructor(columns: number) {
    this.columns = columns;
  }

  feed(text: string): void {
    const parts = text.match(pieces) ?? [];
    for (const part of parts) this.#take(part);
  }

  #take(part: string): void {
    if (part === '\r') this.column = 0;
    else if (part === '\n') this.#newLine();
    else if (!part.startsWith('\u001B')) this.#print(part);
    else if (part === '\u001B[?25l') this.cursorVisible = false;
    else if (part === '\u001B[?25h') this.cursorVisible = true;
    else if (part === '\u001B[K') this.lines[this.row] = this.#line().slice(0, this.column);
    else if (part === '\u001B[J') {
      this.lines[this.row] = this.#line().slice(0, this.column);
      this.lines.length = this.row + 1;
    } else if (up.test(part)) this.row = Math.max(0, this.row - Number(part.slice(2, -1)));
    else if (!ignored.test(part)) throw new Error(`unknown: ${JSON.stringify(part)}`);
  }

  #newLine(): void {
    this.row++;
    this.column = 0;
    while (this.lines.length <= this.row) this.lines.push('');
  }

  #print(text: string): void {
    const line = this.#line().padEnd(this.column);
    this.lines[this.row] = line.slice(0, this.column) + text + line.slice(this.column + text.length);
    this.column += text.length;
    if (this.column > this.columns) throw new Error(`${text} is wider than ${this.columns} columns`);
  }

  #line(): string {
    return this.lines[this.row] ?? '';
  }
}
