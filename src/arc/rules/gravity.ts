import { components } from '../components.ts';
import { withCells, type Image } from './image.ts';
import { nonZeroColours, variantsOver, type Operation } from './operation.ts';

/** Falling and sliding: cells or whole objects move until something stops them. */
const sides = ['down', 'up', 'left', 'right'] as const;
const steps: Readonly<Record<string, readonly [number, number]>> = {
  down: [0, 1],
  up: [0, -1],
  left: [-1, 0],
  right: [1, 0],
};

export const gravityOperations: readonly Operation[] = [
  {
    name: 'fall',
    summary: 'filled cells fall to one side, each on its own',
    parameters: { to: { kind: 'choice', of: sides } },
    search: variantsOver('to', sides, 12),
    takes: 'image',
    gives: 'image',
    make:
      ({ to }) =>
      (source) =>
        fallCells(source, steps[to as string] as readonly [number, number]),
  },
  {
    name: 'fall_objects',
    summary: 'objects fall to one side as wholes',
    parameters: { to: { kind: 'choice', of: sides } },
    search: variantsOver('to', sides, 12),
    rootOnly: true,
    takes: 'image',
    gives: 'image',
    make: ({ to }) => {
      const [dx, dy] = steps[to as string] as readonly [number, number];
      return (source) => slide(source, () => [dx, dy], -1);
    },
  },
  {
    name: 'attract',
    summary: 'objects slide straight towards the cells of one colour until they touch',
    parameters: { colour: { kind: 'colour', seen: 'input' } },
    search: variantsOver('colour', nonZeroColours, 14),
    rootOnly: true,
    takes: 'image',
    gives: 'image',
    make:
      ({ colour }) =>
      (source) =>
        attract(source, colour as number),
  },
  {
    name: 'shift',
    summary: 'moves the image by one cell',
    parameters: { to: { kind: 'choice', of: sides } },
    search: variantsOver('to', sides, 12),
    takes: 'image',
    gives: 'image',
    make: ({ to }) => {
      const [dx, dy] = steps[to as string] as readonly [number, number];
      return (source) => ({ ...source, x: source.x + dx, y: source.y + dy });
    },
  },
];

function fallCells(source: Image, [dx, dy]: readonly [number, number]): Image {
  const { width, height, cells } = source;
  const out = new Uint8Array(cells.length);
  const lines = dx === 0 ? width : height;
  const length = dx === 0 ? height : width;
  for (let line = 0; line < lines; line++) {
    let to = 0;
    for (let i = 0; i < length; i++) {
      const along = dx + dy > 0 ? length - 1 - i : i;
      const colour = (dx === 0 ? cells[along * width + line] : cells[line * width + along]) as number;
      if (colour === 0) continue;
      const place = dx + dy > 0 ? length - 1 - to : to;
      out[dx === 0 ? place * width + line : line * width + place] = colour;
      to++;
    }
  }
  return withCells(source, out);
}

/**
 * Objects move one cell at a time while the way is free; passes repeat until nothing moves. Every move brings an object
 * nearer to its side, so it ends. `still` names a colour that never moves (−1: none).
 */
function slide(
  source: Image,
  way: (label: number) => readonly [number, number] | null,
  still: number,
): Image {
  const { width, height } = source;
  const found = components(source.cells, width, height, 8, true);
  const members: number[][] = Array.from({ length: found.count }, () => []);
  for (let i = 0; i < found.labels.length; i++) members[found.labels[i] as number]?.push(i);
  const owner = Int16Array.from(found.labels);
  const colours = members.map((cells) => source.cells[cells[0] as number] as number);
  for (let moved = true; moved;) {
    moved = false;
    for (const [label, cells] of members.entries()) {
      const step = colours[label] === still ? null : way(label);
      if (step === null || !free(cells, owner, label, step, width, height)) continue;
      for (const cell of cells) owner[cell] = -1;
      members[label] = cells.map((cell) => cell + step[0] + step[1] * width);
      for (const cell of members[label]) owner[cell] = label;
      moved = true;
    }
  }
  return withCells(
    source,
    Uint8Array.from(owner, (label) => (label < 0 ? 0 : (colours[label] as number))),
  );
}

function free(
  cells: readonly number[],
  owner: Int16Array,
  label: number,
  [dx, dy]: readonly [number, number],
  width: number,
  height: number,
): boolean {
  for (const cell of cells) {
    const x = (cell % width) + dx;
    const y = Math.floor(cell / width) + dy;
    if (x < 0 || y < 0 || x >= width || y >= height) return false;
    const other = owner[y * width + x] as number;
    if (other !== -1 && other !== label) return false;
  }
  return true;
}

function attract(source: Image, colour: number): Image | null {
  const { width, height, cells } = source;
  if (!cells.includes(colour)) return null;
  const found = components(cells, width, height, 8, true);
  const towards: (readonly [number, number] | null)[] = [];
  for (let label = 0; label < found.count; label++) towards.push(wayTo(source, found.labels, label, colour));
  return slide(source, (label) => towards[label] ?? null, colour);
}

/** The direction in which an object first meets the colour; null when it meets none. */
function wayTo({ width, height, cells }: Image, labels: Int16Array, label: number, colour: number) {
  let best: readonly [number, number] | null = null;
  let nearest = Infinity;
  for (const side of sides) {
    const step = steps[side] as readonly [number, number];
    for (let i = 0; i < cells.length; i++) {
      if (labels[i] !== label) continue;
      let x = (i % width) + step[0];
      let y = Math.floor(i / width) + step[1];
      for (let distance = 1; x >= 0 && y >= 0 && x < width && y < height && distance < nearest; distance++) {
        if (cells[y * width + x] === colour) {
          nearest = distance;
          best = step;
        }
        x += step[0];
        y += step[1];
      }
    }
  }
  return best;
}
