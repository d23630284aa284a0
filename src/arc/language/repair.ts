import { contentBox, cropTo, mapped, withCells, type Image } from './image.ts';
import { imageToImage, type RuleOperation, type Variant } from './operation.ts';

/** Pattern completion: cells of a mask colour are filled from a symmetry or a period that all other cells obey. */
const ways = ['symmetry', 'period'] as const;
const masks = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const tried = {
  parameters: { by: { kind: 'choice', of: ways }, mask: { kind: 'colour', seen: 'input' } },
  search: ways.flatMap((by) => masks.map((mask): Variant => ({ args: { by, mask }, cost: 12 }))),
  rootOnly: true,
} as const;

export const repairOperations: readonly RuleOperation[] = [
  imageToImage({
    name: 'repair',
    summary: 'fill the cells of colour {mask} by the {by} of the rest',
    ...tried,
    make:
      ({ by, mask }) =>
      (source) =>
        repair(source, by, mask),
  }),
  imageToImage({
    name: 'patch',
    summary: 'take what the {by} of the rest puts in place of colour {mask}',
    ...tried,
    make:
      ({ by, mask }) =>
      (source) => {
        const repaired = repair(source, by, mask);
        const box = contentBox(mapped(source, (cell) => Number(cell === mask)));
        return repaired === null || box === null ? null : cropTo(repaired, ...box);
      },
  }),
];

function repair(source: Image, by: string, mask: number): Image | null {
  if (!source.cells.includes(mask)) return null;
  return by === 'symmetry' ? bySymmetry(source, mask) : byPeriod(source, mask);
}

/** A symmetry sends cell (x, y) to (a·x + b·y + c, d·x + e·y + f). */
type Symmetry = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

function bySymmetry(source: Image, mask: number): Image | null {
  const { width, height } = source;
  const symmetries: Symmetry[] = [];
  // An axis may be off the middle by up to a third of the side; beyond that too few cells confirm it.
  for (const sum of axes(width)) symmetries.push([-1, 0, sum, 0, 1, 0]);
  for (const sum of axes(height)) symmetries.push([1, 0, 0, 0, -1, sum]);
  for (let shift = -2; shift <= 2; shift++) {
    symmetries.push([0, 1, shift, 1, 0, -shift]);
    // the other diagonal, and the turns about a centre on it
    const sum = Math.max(width, height) - 1 + shift;
    symmetries.push([0, -1, sum, -1, 0, sum], [0, -1, sum, 1, 0, 0]);
  }
  const cells = Uint8Array.from(source.cells);
  const obeyed = symmetries.filter((symmetry) => obeys(source, mask, symmetry));
  for (let pass = 0; pass < 3; pass++) {
    for (const symmetry of obeyed) fillFrom(cells, width, height, mask, symmetry);
    if (!cells.includes(mask)) return withCells(source, cells);
  }
  return null;
}

function axes(length: number): number[] {
  const off = Math.floor(length / 3);
  return Array.from({ length: 2 * off + 1 }, (_, i) => length - 1 - off + i).sort(
    (a, b) => Math.abs(a - length + 1) - Math.abs(b - length + 1) || a - b,
  );
}

function obeys({ width, height, cells }: Image, mask: number, [a, b, c, d, e, f]: Symmetry): boolean {
  let vouching = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const mx = a * x + b * y + c;
      const my = d * x + e * y + f;
      if (mx < 0 || my < 0 || mx >= width || my >= height) continue;
      const one = cells[y * width + x];
      const two = cells[my * width + mx];
      if (one === mask || two === mask) continue;
      if (one !== two) return false;
      if (mx !== x || my !== y) vouching++;
    }
  }
  return vouching * 2 >= cells.length / 2;
}

function fillFrom(
  cells: Uint8Array,
  width: number,
  height: number,
  mask: number,
  [a, b, c, d, e, f]: Symmetry,
) {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (cells[y * width + x] !== mask) continue;
      const mx = a * x + b * y + c;
      const my = d * x + e * y + f;
      if (mx >= 0 && my >= 0 && mx < width && my < height) cells[y * width + x] = cells[my * width + mx] ?? 0;
    }
  }
}

/** The smallest lattice, rectangular or diagonal, on which all cells outside the mask agree. */
function byPeriod(source: Image, mask: number): Image | null {
  const { width, height, cells } = source;
  const lattices: { area: number; classOf: (x: number, y: number) => number; classes: number }[] = [];
  for (let px = 1; px <= width; px++) {
    for (let py = 1; py <= height; py++) {
      if (px === width && py === height) continue;
      if (px > width / 2 && px !== width) continue;
      if (py > height / 2 && py !== height) continue;
      lattices.push({ area: px * py, classes: px * py, classOf: (x, y) => (y % py) * px + (x % px) });
    }
  }
  for (let period = 2; period <= (width + height) / 3; period++) {
    lattices.push({ area: period, classes: period, classOf: (x, y) => (x + y) % period });
    lattices.push({ area: period, classes: period, classOf: (x, y) => (x - y + period * height) % period });
  }
  lattices.sort((a, b) => a.area - b.area);
  for (const { classes, classOf } of lattices) {
    const colourOf = new Uint8Array(classes).fill(255);
    let agrees = true;
    for (let i = 0; i < cells.length && agrees; i++) {
      if (cells[i] === mask) continue;
      const at = classOf(i % width, Math.floor(i / width));
      if (colourOf[at] === 255) colourOf[at] = cells[i] ?? 0;
      else agrees = colourOf[at] === cells[i];
    }
    // Empty cells may belong to the pattern: a position without evidence stays empty.
    if (!agrees || (mask !== 0 && colourOf.includes(255))) continue;
    if (mask === 0) for (let at = 0; at < classes; at++) if (colourOf[at] === 255) colourOf[at] = 0;
    return mapped(source, (cell, i) =>
      cell === mask ? (colourOf[classOf(i % width, Math.floor(i / width))] ?? 0) : cell,
    );
  }
  return null;
}
