import {
  boundingBoxes,
  boxOf,
  componentSizes,
  enclosed,
  objectsIn,
  type Components,
  type ObjectKind,
} from '../grid/objects.ts';
import { findPanels, type Panels } from '../grid/facts/panels.ts';
import { contentBox, cropTo, mainColour, rareColour, withCells, type Image } from './image.ts';
import { sameShape } from './criteria.ts';

/** The owner of a cell: an object of some kind, or a connected empty region. */
export type SetKind = ObjectKind | 'region';

/** A set of objects of an image, with data for cell features. */
export interface ObjectSet {
  readonly found: Components;
  readonly sizes: Int32Array;
  readonly boxes: Int16Array;
  readonly images: readonly Image[];
}

/** One image prepared for cell features; each intermediate result is computed once, on first use. */
export class Scan {
  readonly source: Image;
  readonly width: number;
  readonly height: number;
  readonly cells: Uint8Array;
  /** The task's input; the scan itself if it is the input. */
  readonly input: Scan;
  readonly #objects = new Map<string, ObjectSet>();
  #panels: Panels | null | undefined;
  #main: number | undefined;
  #rare: number | undefined;
  readonly #columns = new Map<string, Uint8Array>();

  constructor(source: Image, input: Image = source) {
    this.source = source;
    this.input = input === source ? this : new Scan(input);
    this.width = source.width;
    this.height = source.height;
    this.cells = source.cells;
  }

  at(x: number, y: number): number {
    return x < 0 || y < 0 || x >= this.width || y >= this.height ? 10 : (this.cells[y * this.width + x] ?? 0);
  }

  get main(): number {
    return (this.#main ??= mainColour(this.cells));
  }

  get rare(): number {
    return (this.#rare ??= rareColour(this.cells));
  }

  get panels(): Panels | null {
    if (this.#panels === undefined) this.#panels = findPanels(this.source);
    return this.#panels;
  }

  get inside(): Uint8Array {
    return this.once('inside', () => enclosed(this.cells, this.width, this.height, 4));
  }

  objects(kind: SetKind): ObjectSet {
    const known = this.#objects.get(kind);
    if (known !== undefined) return known;
    const set = kind === 'region' ? this.#regions() : this.#setOf(objectsIn(this.source, kind), true);
    this.#objects.set(kind, set);
    return set;
  }

  #regions(): ObjectSet {
    const empty = this.cells.map((cell) => (cell === 0 ? 1 : 0));
    return this.#setOf(objectsIn(withCells(this.source, empty), 'piece'), false);
  }

  #setOf(found: Components, withImages: boolean): ObjectSet {
    const boxes = boundingBoxes(found, this.width);
    const images = withImages
      ? Array.from({ length: found.count }, (_, label) => this.#objectImage(found, boxes, label))
      : [];
    return { found, sizes: componentSizes(found), boxes, images };
  }

  #objectImage(found: Components, boxes: Int16Array, label: number): Image {
    const { left, top, width, height } = boxOf(boxes, label);
    const part = cropTo(this.source, left, top, width, height);
    for (let y = 0; y < part.height; y++)
      for (let x = 0; x < part.width; x++)
        if (found.labels[(top + y) * this.width + left + x] !== label) part.cells[y * part.width + x] = 0;
    return part;
  }

  /** The number of objects in the set with the same shape, for each object. */
  shapeCopies(set: ObjectSet): Uint8Array {
    return Uint8Array.from(set.images, (one) =>
      set.images.length > 60 ? 0 : set.images.filter((other) => sameShape(one, other)).length,
    );
  }

  once(name: string, make: () => Uint8Array): Uint8Array {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#columns.set(name, made);
    return made;
  }

  /** The box around all filled cells, as an image-sized 0/1 mask. */
  get hull(): Uint8Array {
    return this.once('hull', () => {
      const mask = new Uint8Array(this.cells.length);
      const box = contentBox(withCells(this.source, this.cells));
      if (box === null) return mask;
      const [left, top, width, height] = box;
      for (let y = top; y < top + height; y++)
        mask.fill(1, y * this.width + left, y * this.width + left + width);
      return mask;
    });
  }
}
