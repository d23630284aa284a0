import type { Grid } from './grid.ts';

/**
 * The definition of an object for facts, rules and features. 0 is empty (a view maps a task's background to 0, see
 * `ground.ts`). Each kind of object says how far apart its cells may be, and whether they have one colour; more likely
 * kinds first.
 */
const kinds = {
  /** Cells connected at sides or corners. */
  blob: { reach: 'corners', oneColour: true },
  object: { reach: 'corners', oneColour: false },
  /** Cells connected at sides. */
  piece: { reach: 'sides', oneColour: true },
  block: { reach: 'sides', oneColour: false },
  /** Cells at most two steps apart, across empty cells and others: dotted lines, loose groups. */
  cluster: { reach: 'two steps', oneColour: true },
  group: { reach: 'two steps', oneColour: false },
  /** All cells of a colour, wherever they are. */
  colour: { reach: 'any', oneColour: true },
} as const satisfies Readonly<Record<string, { reach: Reach; oneColour: boolean }>>;

export type ObjectKind = keyof typeof kinds;
export const objectKinds = Object.keys(kinds) as readonly ObjectKind[];
type Reach = 'sides' | 'corners' | 'two steps' | 'any';

/** Whether the cells of an object of this kind need not touch. */
export function isScattered(kind: ObjectKind): boolean {
  return kind === 'cluster' || kind === 'group' || kind === 'colour';
}

/** The objects of a grid, or connected parts of it. */
export interface Components {
  readonly count: number;
  /** Component number of each cell, −1 for background. Numbered in reading order of their first cell. */
  readonly labels: Int16Array;
}

type Cells = Pick<Grid, 'width' | 'height' | 'cells'>;

const stack = new Int32Array(4096);

/** `background` is a colour that belongs to no object (−1: none). */
export function objectsIn(grid: Cells, kind: ObjectKind, background = 0): Components {
  const { reach, oneColour } = kinds[kind];
  return reach === 'any' ? colourSets(grid.cells, background) : joined(grid, reach, oneColour, background);
}

function joined(
  { width, height, cells }: Cells,
  reach: Exclude<Reach, 'any'>,
  oneColour: boolean,
  background: number,
): Components {
  const far = reach === 'two steps' ? 2 : 1;
  const labels = new Int16Array(cells.length).fill(-1);
  let count = 0;
  for (let start = 0; start < cells.length; start++) {
    if (labels[start] !== -1 || cells[start] === background) continue;
    let top = 0;
    stack[top++] = start;
    labels[start] = count;
    while (top > 0) {
      const cell = stack[--top] ?? 0;
      const x = cell % width;
      const y = (cell - x) / width;
      for (let ny = Math.max(0, y - far); ny <= Math.min(height - 1, y + far); ny++)
        for (let nx = Math.max(0, x - far); nx <= Math.min(width - 1, x + far); nx++) {
          if (reach === 'sides' && nx !== x && ny !== y) continue;
          const next = ny * width + nx;
          if (labels[next] !== -1 || cells[next] === background) continue;
          if (oneColour && cells[next] !== cells[cell]) continue;
          labels[next] = count;
          stack[top++] = next;
        }
    }
    count++;
  }
  return { count, labels };
}

function colourSets(cells: Uint8Array, background: number): Components {
  const numbers = new Map<number, number>();
  const labels = Int16Array.from(cells, (cell) => {
    if (cell === background) return -1;
    const number = numbers.get(cell) ?? numbers.size;
    numbers.set(cell, number);
    return number;
  });
  return { count: numbers.size, labels };
}

/** A rectangle of cells. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function boxOf(boxes: Int16Array, label: number): Box {
  const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(label * 4, label * 4 + 4);
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Bounding boxes as [left, top, right, bottom] of each component, inclusive, four numbers each. */
export function boundingBoxes(found: Components, width: number): Int16Array {
  const boxes = new Int16Array(found.count * 4);
  for (let label = 0; label < found.count; label++) boxes.set([32767, 32767, -1, -1], label * 4);
  for (let i = 0; i < found.labels.length; i++) {
    const label = found.labels[i] ?? 0;
    if (label < 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    const at = label * 4;
    if (x < (boxes[at] ?? 0)) boxes[at] = x;
    if (y < (boxes[at + 1] ?? 0)) boxes[at + 1] = y;
    if (x > (boxes[at + 2] ?? 0)) boxes[at + 2] = x;
    if (y > (boxes[at + 3] ?? 0)) boxes[at + 3] = y;
  }
  return boxes;
}

export function componentSizes(found: Components): Int32Array {
  const sizes = new Int32Array(found.count);
  for (let i = 0; i < found.labels.length; i++) {
    const label = found.labels[i] ?? 0;
    if (label >= 0) sizes[label] = (sizes[label] ?? 0) + 1;
  }
  return sizes;
}

/** Marks the background cells that cannot reach the border of the rectangle through background cells. */
export function enclosed(cells: Uint8Array, width: number, height: number, connectivity: 4 | 8): Uint8Array {
  const outside = new Uint8Array(cells.length);
  let top = 0;
  const push = (cell: number): void => {
    if (cells[cell] === 0 && outside[cell] === 0) {
      outside[cell] = 1;
      stack[top++] = cell;
    }
  };
  for (let x = 0; x < width; x++) {
    push(x);
    push((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    push(y * width);
    push(y * width + width - 1);
  }
  while (top > 0) {
    const cell = stack[--top] ?? 0;
    const x = cell % width;
    const y = (cell - x) / width;
    for (let dy = -1; dy <= 1; dy++) {
      const ny = y + dy;
      if (ny < 0 || ny >= height) continue;
      for (let dx = -1; dx <= 1; dx++) {
        const nx = x + dx;
        if (nx < 0 || nx >= width || (connectivity === 4 && dx !== 0 && dy !== 0)) continue;
        push(ny * width + nx);
      }
    }
  }
  const inside = new Uint8Array(cells.length);
  for (let i = 0; i < cells.length; i++) if (cells[i] === 0 && outside[i] === 0) inside[i] = 1;
  return inside;
}

/** The number of holes: empty regions enclosed by filled cells. */
export function holeCount({ width, height, cells }: Cells): number {
  return objectsIn({ width, height, cells: enclosed(cells, width, height, 4) }, 'piece').count;
}
