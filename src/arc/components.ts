/** Connected components of the cells of a rectangle, the ground of objects in facts, rules and features. */
export interface Components {
  readonly count: number;
  /** Component number of each cell, −1 for background. Numbered in reading order of their first cell. */
  readonly labels: Int16Array;
}

export type Connectivity = 4 | 8;

const stack = new Int32Array(4096);

/**
 * With `sameColour`, cells join only when equal; otherwise every non-background cell joins its neighbours.
 * `background` is the colour that belongs to no component (−1: none).
 */
export function components(
  cells: Uint8Array,
  width: number,
  height: number,
  connectivity: Connectivity,
  sameColour: boolean,
  background = 0,
): Components {
  const labels = new Int16Array(cells.length).fill(-1);
  let count = 0;
  for (let start = 0; start < cells.length; start++) {
    if (labels[start] !== -1 || cells[start] === background) continue;
    let top = 0;
    stack[top++] = start;
    labels[start] = count;
    while (top > 0) {
      const cell = stack[--top] as number;
      const x = cell % width;
      const y = (cell - x) / width;
      for (let dy = -1; dy <= 1; dy++) {
        const ny = y + dy;
        if (ny < 0 || ny >= height) continue;
        for (let dx = -1; dx <= 1; dx++) {
          const nx = x + dx;
          if (nx < 0 || nx >= width || (dx === 0 && dy === 0)) continue;
          if (connectivity === 4 && dx !== 0 && dy !== 0) continue;
          const next = ny * width + nx;
          if (labels[next] !== -1 || cells[next] === background) continue;
          if (sameColour && cells[next] !== cells[cell]) continue;
          labels[next] = count;
          stack[top++] = next;
        }
      }
    }
    count++;
  }
  return { count, labels };
}

/** Cells of one colour that lie within two steps of each other, over empty cells and others too: dotted lines, loose heaps. */
export function clusters(cells: Uint8Array, width: number, height: number): Components {
  const labels = new Int16Array(cells.length).fill(-1);
  let count = 0;
  for (let start = 0; start < cells.length; start++) {
    if (labels[start] !== -1 || cells[start] === 0) continue;
    let top = 0;
    stack[top++] = start;
    labels[start] = count;
    while (top > 0) {
      const cell = stack[--top] as number;
      const x = cell % width;
      const y = (cell - x) / width;
      for (let ny = Math.max(0, y - 2); ny <= Math.min(height - 1, y + 2); ny++)
        for (let nx = Math.max(0, x - 2); nx <= Math.min(width - 1, x + 2); nx++) {
          const next = ny * width + nx;
          if (labels[next] !== -1 || cells[next] !== cells[cell]) continue;
          labels[next] = count;
          stack[top++] = next;
        }
    }
    count++;
  }
  return { count, labels };
}

/** All cells of a colour, wherever they stand, as one component. */
export function colourSets(cells: Uint8Array): Components {
  const numbers = new Map<number, number>();
  const labels = Int16Array.from(cells, (cell) => {
    if (cell === 0) return -1;
    const number = numbers.get(cell) ?? numbers.size;
    numbers.set(cell, number);
    return number;
  });
  return { count: numbers.size, labels };
}

/** Bounding boxes as [left, top, right, bottom] of each component, inclusive, four numbers each. */
export function boundingBoxes(found: Components, width: number): Int16Array {
  const boxes = new Int16Array(found.count * 4);
  for (let label = 0; label < found.count; label++) boxes.set([32767, 32767, -1, -1], label * 4);
  for (let i = 0; i < found.labels.length; i++) {
    const label = found.labels[i] as number;
    if (label < 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    const at = label * 4;
    if (x < (boxes[at] as number)) boxes[at] = x;
    if (y < (boxes[at + 1] as number)) boxes[at + 1] = y;
    if (x > (boxes[at + 2] as number)) boxes[at + 2] = x;
    if (y > (boxes[at + 3] as number)) boxes[at + 3] = y;
  }
  return boxes;
}

export function componentSizes(found: Components): Int32Array {
  const sizes = new Int32Array(found.count);
  for (let i = 0; i < found.labels.length; i++) {
    const label = found.labels[i] as number;
    if (label >= 0) (sizes[label] as number)++;
  }
  return sizes;
}

/** Marks the background cells that cannot reach the border of the rectangle through background cells. */
export function enclosed(
  cells: Uint8Array,
  width: number,
  height: number,
  connectivity: Connectivity,
): Uint8Array {
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
    const cell = stack[--top] as number;
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
