import { decline } from './outcome.ts';
import { malformed } from './json.ts';

/** A line with more bytes than this is declined before it is kept. */
const MAX_LINE = 1 << 28;
const LINE_FEED = 10;

/**
 * Cuts bytes into lines. Only a line feed ends a line (text literals may contain the other line separators of Unicode), and bytes that are
 * not UTF-8 are refused: replaced by a placeholder, two different names could become one.
 */
export class Lines {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private pieces: Uint8Array[] = [];
  private size = 0;

  /** The lines that these bytes complete. */
  *push(bytes: Uint8Array): Generator<string> {
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, from)) {
      this.keep(bytes.subarray(from, at));
      yield this.take();
      from = at + 1;
    }
    this.keep(bytes.subarray(from));
  }

  /** The last line, which no line feed ends. */
  end(): string {
    return this.take();
  }

  private keep(piece: Uint8Array): void {
    this.size += piece.length;
    if (this.size > MAX_LINE) decline('a line is too long');
    if (piece.length > 0) this.pieces.push(piece.slice());
  }

  private take(): string {
    const line = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    this.pieces = [];
    this.size = 0;
    try {
      return this.decoder.decode(line);
    } catch {
      return malformed('it is not UTF-8');
    }
  }
}
