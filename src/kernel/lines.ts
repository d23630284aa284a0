import { decline } from './outcome.ts';
import { malformed } from './json.ts';

/** Longer lines are declined before they are stored. */
const MAX_LINE = 1 << 24;

/**
 * Splits bytes into lines. Only a line feed ends a line (string literals may contain Unicode's other line
 * separators), and invalid UTF-8 is refused: with replacement characters, two different names could become equal.
 */
export class Lines {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private pieces: string[] = [];
  private size = 0;

  /** The lines completed by these bytes. */
  *push(bytes: Uint8Array): Generator<string> {
    const text = this.decode(bytes);
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      this.keep(text.slice(from, at));
      yield this.take();
      from = at + 1;
    }
    this.keep(text.slice(from));
  }

  /** The last line, without a line feed. */
  end(): string {
    this.keep(this.decode());
    return this.take();
  }

  private decode(bytes?: Uint8Array): string {
    try {
      return this.decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return malformed('it is not UTF-8');
    }
  }

  private keep(piece: string): void {
    this.size += piece.length;
    if (this.size > MAX_LINE) decline('a line is too long');
    this.pieces.push(piece);
  }

  private take(): string {
    const [only, ...rest] = this.pieces;
    const line = rest.length === 0 ? (only ?? '') : this.pieces.join('');
    this.pieces = [];
    this.size = 0;
    return line;
  }
}
