/** A grid to draw on; cells beyond its edge are neither read nor written. */
export class Sheet {
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;

  constructor(width: number, height: number, colour = 0) {
    this.width = width;
    this.height = height;
    this.cells = new Uint8Array(width * height).fill(colour);
  }

  has(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  get(x: number, y: number): number {
    return this.has(x, y) ? (this.cells[y * this.width + x] ?? 0) : -1;
  }

  set(x: number, y: number, colour: number): this {
    if (this.has(x, y)) this.cells[y * this.width + x] = colour;
    return this;
  }
}
