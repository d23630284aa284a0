import { featureColumn, featureNames, sourceNames } from '../rules/features.ts';
import type { Image } from '../rules/image.ts';
import { Scan } from '../rules/scan.ts';

/** A learned cell rule: arguments for the `cells` operation, and how far to trust it. */
export interface CellRule {
  readonly features: readonly string[];
  readonly table: Readonly<Record<string, string>>;
  /** Cells of the test inputs that the table does not know. */
  readonly unknownCells: number;
  readonly held: number;
  readonly cost: number;
}

interface Column {
  readonly name: string;
  readonly values: Uint8Array;
  readonly kinds: number;
  readonly index: number;
}

/** All cells of all images in one row: training cells first, `pairEnd` marks where each image ends. */
interface Cells {
  readonly columns: readonly Column[];
  readonly trainCells: number;
  readonly pairEnd: readonly number[];
  readonly trainPairs: number;
  /** Bit s of a training cell: answer source s gives the right colour there. */
  readonly right: Uint32Array;
  readonly answers: readonly string[];
}

export interface LearnLimits {
  /** How many feature pairs are extended by a third, and how many triples by a fourth. */
  readonly widen: number;
  readonly deepest: number;
}

/**
 * Finds few features whose values decide each cell's new colour on all training pairs. Each cell carries a bit mask of
 * the answers that are right for it (ten colours, "keep", "the colour seen to the north", …); a group of cells with equal
 * feature values is decided when the masks have a bit in common, so testing a set of features is one pass of ANDs.
 */
export function learnCells(
  bases: readonly Image[],
  targets: readonly Image[],
  limits: LearnLimits,
  most: number,
): CellRule[] {
  const cells = gather(bases, targets);
  if (cells === null) return [];
  const rules: CellRule[] = [];
  let frontier: { set: readonly Column[]; undecided: number }[] = [{ set: [], undecided: Infinity }];
  for (let size = 1; size <= limits.deepest && rules.length < most; size++) {
    const tried: { set: readonly Column[]; undecided: number }[] = [];
    const seen = new Set<string>();
    for (const { set } of frontier) {
      for (const column of cells.columns) {
        if (set.includes(column)) continue;
        const wider = [...set, column].sort((a, b) => a.index - b.index);
        const key = wider.map(({ index }) => index).join();
        if (seen.has(key)) continue;
        seen.add(key);
        const undecided = undecidedCells(cells, wider);
        if (undecided === 0) rules.push(ruleFor(cells, wider));
        else tried.push({ set: wider, undecided });
      }
    }
    tried.sort((a, b) => a.undecided - b.undecided);
    frontier = tried.slice(0, size === 1 ? limits.widen * 4 : limits.widen);
  }
  return rules
    .sort((a, b) => b.held - a.held || a.unknownCells - b.unknownCells || a.cost - b.cost)
    .slice(0, most);
}

function gather(bases: readonly Image[], targets: readonly Image[]): Cells | null {
  for (const [i, { width, height }] of targets.entries())
    if (bases[i]?.width !== width || bases[i].height !== height) return null;
  const scans = bases.map((base) => new Scan(base));
  const pairEnd: number[] = [];
  for (const base of bases) pairEnd.push((pairEnd.at(-1) ?? 0) + base.cells.length);
  const trainCells = pairEnd[targets.length - 1] as number;
  const whole = (name: string): Uint8Array => {
    const joined = new Uint8Array(pairEnd.at(-1) as number);
    for (const [i, scan] of scans.entries()) joined.set(featureColumn(scan, name), pairEnd[i - 1] ?? 0);
    return joined;
  };
  const raw = new Map(featureNames.map((name) => [name, whole(name)]));
  const { right, answers } = answerBits(raw, targets, trainCells);
  return { columns: distinctColumns(raw), trainCells, pairEnd, trainPairs: targets.length, right, answers };
}

/** Sources in order of preference: keep the cell, a fixed colour, then colours read from somewhere. */
function answerBits(raw: ReadonlyMap<string, Uint8Array>, targets: readonly Image[], trainCells: number) {
  const wanted = new Uint8Array(trainCells);
  let at = 0;
  for (const { cells } of targets) {
    wanted.set(cells, at);
    at += cells.length;
  }
  const answers = ['@self', ...Array.from({ length: 10 }, (_, colour) => `${colour}`)];
  answers.push(
    ...sourceNames
      .filter((name) => name !== 'self')
      .slice(0, 32 - answers.length)
      .map((name) => `@${name}`),
  );
  const right = new Uint32Array(trainCells);
  for (const [bit, answer] of answers.entries()) {
    const column = answer.startsWith('@') ? (raw.get(answer.slice(1)) as Uint8Array) : null;
    for (let i = 0; i < trainCells; i++)
      if (wanted[i] === (column === null ? Number(answer) : column[i]))
        right[i] = (right[i] as number) | (1 << bit);
  }
  return { right, answers };
}

/** Columns with dense values, without constant ones and without ones that split the cells like an earlier one. */
function distinctColumns(raw: ReadonlyMap<string, Uint8Array>): Column[] {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const [name, values] of raw) {
    const first = new Int16Array(256).fill(-1);
    let kinds = 0;
    const dense = new Uint8Array(values.length);
    let hash = 0x811c9dc5;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (first[value] === -1) first[value] = kinds++;
      dense[i] = first[value] as number;
      hash = Math.imul(hash ^ (dense[i] as number), 0x01000193) ^ (hash >>> 17);
    }
    const key = `${kinds} ${hash}`;
    if (kinds < 2 || seen.has(key)) continue;
    seen.add(key);
    columns.push({ name, values, kinds, index: columns.length });
  }
  return columns.map((column) => ({
    ...column,
    kinds: 1 + column.values.reduce((most, value) => Math.max(most, value), 0),
  }));
}

const noKey = 0xffffffff;
const groupMasks = new Uint32Array(1 << 16);

/** Keys of all cells under a set of features, or null when there are too many kinds for a small table. */
function keysFor(set: readonly Column[], length: number, keys: Uint32Array): number {
  let kinds = 1;
  keys.fill(0, 0, length);
  for (const column of set) {
    kinds *= column.kinds;
    if (kinds > groupMasks.length) return 0;
    const { values, kinds: step } = column;
    for (let i = 0; i < length; i++) keys[i] = (keys[i] as number) * step + (values[i] as number);
  }
  return kinds;
}

let keyScratch = new Uint32Array(1 << 13);

function undecidedCells(cells: Cells, set: readonly Column[]): number {
  const { trainCells, right } = cells;
  if (keyScratch.length < trainCells) keyScratch = new Uint32Array(trainCells * 2);
  const kinds = keysFor(set, trainCells, keyScratch);
  if (kinds === 0) return noKey;
  groupMasks.fill(0xffffffff, 0, kinds);
  for (let i = 0; i < trainCells; i++) {
    const key = keyScratch[i] as number;
    groupMasks[key] = (groupMasks[key] as number) & (right[i] as number);
  }
  let undecided = 0;
  for (let i = 0; i < trainCells; i++) if (groupMasks[keyScratch[i] as number] === 0) undecided++;
  return undecided;
}

function ruleFor(cells: Cells, set: readonly Column[]): CellRule {
  const all = cells.pairEnd.at(-1) as number;
  const groups = new Map<string, { mask: number; pairs: Map<number, number> }>();
  let pair = 0;
  for (let i = 0; i < cells.trainCells; i++) {
    while (i >= (cells.pairEnd[pair] as number)) pair++;
    const key = set.map(({ values }) => values[i]).join(',');
    const group = groups.get(key) ?? { mask: -1, pairs: new Map<number, number>() };
    group.mask &= cells.right[i] as number;
    group.pairs.set(pair, (group.pairs.get(pair) ?? -1) & (cells.right[i] as number));
    groups.set(key, group);
  }
  let unknownCells = 0;
  for (let i = cells.trainCells; i < all; i++)
    if (!groups.has(set.map(({ values }) => values[i]).join(','))) unknownCells++;
  const table: Record<string, string> = {};
  let reads = 0;
  let decisions = 0;
  for (const [key, { mask }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const bit = 31 - Math.clz32(mask & -mask);
    table[key] = cells.answers[bit] as string;
    if (bit > 10) reads++;
    // Keeping a cell is the default, hardly a decision.
    decisions += bit === 0 ? 0.25 : 1;
  }
  return {
    features: set.map(({ name }) => name),
    table,
    unknownCells,
    held: heldPairs(cells, groups) / cells.trainPairs,
    cost:
      8 +
      set.reduce((sum, { name }) => sum + featurePrice(name), 0) +
      Math.min(40, Math.round(decisions)) +
      2 * reads,
  };
}

/** Features that look at the cell itself and its surroundings are likelier than those that count or tell rows apart. */
function featurePrice(name: string): number {
  if (/three|odd|checker|diagonal|grid-|pattern-8/.test(name)) return 12;
  if (/rank|copies|size|width|height|tall|row-|column-|panel/.test(name)) return 8;
  return 5;
}

/** Pairs that the other pairs alone would have decided rightly: every group known, and its answer right. */
function heldPairs(cells: Cells, groups: ReadonlyMap<string, { pairs: Map<number, number> }>): number {
  let held = 0;
  for (let pair = 0; pair < cells.trainPairs; pair++) {
    let good = true;
    for (const { pairs } of groups.values()) {
      const own = pairs.get(pair);
      if (own === undefined) continue;
      let others = -1;
      for (const [other, mask] of pairs) if (other !== pair) others &= mask;
      // A group that no other pair shows is taken as "keep".
      const lowest = pairs.size === 1 ? 1 : others & -others;
      if ((lowest & own) === 0) good = false;
    }
    if (good) held++;
  }
  return held;
}
