/** A place and a size on a sheet. */
export interface SheetBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A grid to draw on; what lies beyond its edge is neither read nor written. */
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

  rect({ x, y, width, height }: SheetBox, colour: number): this {
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) this.set(column, row, colour);
    return this;
  }

  frame(box: SheetBox, colour: number): this {
    const { x, y, width, height } = box;
    for (let i = 0; i < width; i++) this.set(x + i, y, colour).set(x + i, y + height - 1, colour);
    for (let i = 0; i < height; i++) this.set(x, y + i, colour).set(x + width - 1, y + i, colour);
    return this;
  }

  /** The filled cells of another sheet, at a place, in their own colours or in one. */
  paste(other: Sheet, x: number, y: number, colour?: number): this {
    for (const [i, cell] of other.cells.entries())
      if (cell !== 0) this.set(x + (i % other.width), y + Math.floor(i / other.width), colour ?? cell);
    return this;
  }

  crop({ x, y, width, height }: SheetBox): Sheet {
    const part = new Sheet(width, height);
    for (let i = 0; i < part.cells.length; i++)
      part.cells[i] = Math.max(0, this.get(x + (i % width), y + Math.floor(i / width)));
    return part;
  }

  copy(): Sheet {
    return this.crop({ x: 0, y: 0, width: this.width, height: this.height });
  }

  /** Every cell again, from its place and colour. */
  map(colourAt: (x: number, y: number, colour: number) => number): Sheet {
    const next = new Sheet(this.width, this.height);
    for (const [i, cell] of this.cells.entries())
      next.cells[i] = colourAt(i % this.width, Math.floor(i / this.width), cell);
    return next;
  }
}
