export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

/**
 * Splits a stream of bytes into lines. A chunk may end inside a line or a character, so bytes are kept until the newline arrives. A line over the limit is dropped as it arrives and reported once, when it ends.
 */
export class LineSplitter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#length > this.#limit
        ? { kind: 'too-long' }
        : { kind: 'line', text: Buffer.concat(this.#parts).toString() };
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
    }
    this.#keep(Buffer.from(chunk.subarray(start)));
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#limit) this.#parts = [];
    else this.#parts.push(bytes);
  }
}
