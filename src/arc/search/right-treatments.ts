import { definite } from '../../core/errors.ts';
import type { BodyScene } from '../language/actions.ts';
import type { Image } from '../language/image.ts';
import type { Writing } from '../language/treat.ts';
import type { WrittenTreatment } from '../language/treatment-subject.ts';
import { written } from '../language/treatments.ts';
import { mostAnswers } from './decide.ts';
import type { Work } from './work.ts';

/** The data from which `rightTreatments` finds the right treatments for each object. */
export interface Trial {
  readonly bases: readonly Image[];
  readonly targets: readonly Image[];
  readonly scenes: readonly BodyScene[];
  readonly drawn: readonly Drawn[];
  readonly on: Writing;
  readonly work: Work;
}

/** The cells that a treatment writes for every object of every training pair, in the object's own colours. */
export interface Drawn {
  readonly name: string;
  readonly ones: readonly (readonly WrittenTreatment[])[];
}

/** The effect of a treatment on the training objects. */
export interface TriedTreatment {
  readonly treatment: string;
  /** For each object, the number of changed cells that it explains, or −1 if it writes a wrong cell. */
  readonly explained: Int32Array;
  /** For each object, these cells. */
  readonly cellsBy: readonly (readonly number[])[];
  /** The changed cells that it explains, all pairs in one row. */
  readonly cells: ReadonlySet<number>;
}

export interface Rights {
  readonly answers: readonly string[];
  /** Bit n of an object is set if treatment n is right. */
  readonly right: Uint32Array;
}

/**
 * The right treatments of every object, chosen in up to three ways: from the fewest treatments that explain all changed cells,
 * from pairs of these, and from as many as a table can name. Empty if no treatment explains some changed cell, because then no
 * table can be right. The first treatment is to keep the object.
 */
export function rightTreatments(trial: Trial, [first, ...others]: readonly TriedTreatment[]): Rights[] {
  const keep = definite(first);
  const cover = covering(others, changedCells(trial));
  if (cover === null || cover.length > mostAnswers - 1) return [];
  const rest = others.filter((one) => !cover.includes(one)).sort((a, b) => b.cells.size - a.cells.size);
  const all = [...cover, ...rest].slice(0, mostAnswers - 1);
  const shared = sharedCells(cover);
  const pairs = cover.length > mostJoined ? [] : joinedPairs(cover, shared);
  return [
    withFew(trial, keep, cover, shared),
    ...(pairs.length === 0 ? [] : [withPairs(keep, [...cover, ...pairs], shared)]),
    rightsOf(keep, all),
  ];
}

function withFew(
  trial: Trial,
  keep: TriedTreatment,
  cover: readonly TriedTreatment[],
  shared: ReadonlySet<number>,
): Rights {
  const few = rightsOf(keep, cover);
  const allow = (row: number, bit: number): void => {
    few.right[row] = (few.right[row] ?? 0) | (1 << bit);
  };
  // an object may also be kept if others explain every cell that it could
  for (let row = 0; row < few.right.length; row++)
    if (cover.every(({ cellsBy }) => cellsBy[row]?.every((cell) => shared.has(cell)) ?? true)) allow(row, 0);
  const drop = few.answers.indexOf('drop');
  if (drop > 0) for (const row of paintedOver(trial, cover)) allow(row, drop);
  return few;
}

/** With more treatments than this, no pairs are joined. */
const mostJoined = 5;

/** Pairs of treatments that some object needs: each of the two is the only explanation of some cell. */
function joinedPairs(cover: readonly TriedTreatment[], shared: ReadonlySet<number>): TriedTreatment[] {
  const plain = cover.filter(({ treatment }) => treatment !== 'drop');
  const lacks = (some: readonly number[], more: readonly number[]): boolean =>
    some.some((cell) => !shared.has(cell) && !more.includes(cell));
  return plain.flatMap((one, i) =>
    plain.slice(i + 1).flatMap((two) => {
      const isNeeded = one.cellsBy.some((cells, row) => {
        const others = definite(two.cellsBy[row]);
        return lacks(cells, others) && lacks(others, cells);
      });
      return isNeeded ? [joined(one, two)] : [];
    }),
  );
}

function joined(one: TriedTreatment, two: TriedTreatment): TriedTreatment {
  const cellsBy = one.cellsBy.map((cells, row) => [...new Set([...cells, ...(two.cellsBy[row] ?? [])])]);
  return {
    treatment: `${one.treatment} + ${two.treatment}`,
    explained: one.explained.map((count, row) =>
      Math.min(count, two.explained[row] ?? 0) < 0 ? -1 : definite(cellsBy[row]).length,
    ),
    cellsBy: cellsBy.map((cells, row) =>
      Math.min(one.explained[row] ?? 0, two.explained[row] ?? 0) < 0 ? [] : cells,
    ),
    cells: one.cells.union(two.cells),
  };
}

/** A treatment is right if it writes nothing wrong and explains all changed cells that only this object can explain. */
function withPairs(
  keep: TriedTreatment,
  others: readonly TriedTreatment[],
  shared: ReadonlySet<number>,
): Rights {
  const answers = [keep, ...others];
  const right = new Uint32Array(keep.explained.length);
  for (let row = 0; row < right.length; row++) {
    const own = new Set(
      answers.flatMap(({ cellsBy }) => cellsBy[row] ?? []).filter((cell) => !shared.has(cell)),
    );
    for (const [bit, { explained, cellsBy }] of answers.entries())
      if ((explained[row] ?? 0) >= 0 && own.isSubsetOf(new Set(cellsBy[row])))
        right[row] = (right[row] ?? 0) | (1 << bit);
  }
  return { answers: answers.map(({ treatment }) => treatment), right };
}

/** A treatment is right if it writes nothing wrong and, provided that some treatment can, explains a changed cell. */
function rightsOf(keep: TriedTreatment, others: readonly TriedTreatment[]): Rights {
  const answers = [keep, ...others];
  const right = new Uint32Array(keep.explained.length);
  for (let row = 0; row < right.length; row++) {
    const least = Math.min(1, Math.max(...answers.map(({ explained }) => explained[row] ?? 0)));
    for (const [bit, { explained }] of answers.entries())
      if ((explained[row] ?? 0) >= least) right[row] = (right[row] ?? 0) | (1 << bit);
  }
  return { answers: answers.map(({ treatment }) => treatment), right };
}

/** Objects that may be dropped although the output shows cells where they were: other objects paint these. */
function paintedOver({ bases, targets, scenes }: Trial, cover: readonly TriedTreatment[]): number[] {
  const rows: number[] = [];
  let first = 0;
  for (const [pair, target] of targets.entries()) {
    const { bodies } = definite(scenes[pair]);
    const painters = new Map<number, Set<number>>();
    for (const { treatment, explained } of cover)
      for (const self of bodies.keys()) {
        if (treatment === 'drop' || (explained[first + self] ?? 0) <= 0) continue;
        for (const place of written(definite(bases[pair]), definite(scenes[pair]), self, treatment).places)
          painters.set(place, (painters.get(place) ?? new Set()).add(self));
      }
    for (const [self, { cells }] of bodies.entries())
      if (
        cells.every((cell) => {
          const others = [...(painters.get(cell) ?? [])].filter((label) => label !== self);
          return target.cells[cell] === 0 || others.length > 0;
        })
      )
        rows.push(first + self);
    first += bodies.length;
  }
  return rows;
}

/** The changed cells that treatments of two or more objects explain. */
function sharedCells(tried: readonly TriedTreatment[]): Set<number> {
  const firstBy = new Map<number, number>();
  const shared = new Set<number>();
  for (const { cellsBy } of tried)
    for (const [row, cells] of cellsBy.entries())
      for (const cell of cells) {
        if (firstBy.has(cell) && firstBy.get(cell) !== row) shared.add(cell);
        else firstBy.set(cell, row);
      }
  return shared;
}

/** The changed cells, all pairs in one row. */
function changedCells({ bases, targets }: Trial): Set<number> {
  const changed = new Set<number>();
  let before = 0;
  for (const [pair, { cells }] of targets.entries()) {
    for (const [place, cell] of cells.entries())
      if (cell !== bases[pair]?.cells[place]) changed.add(before + place);
    before += cells.length;
  }
  return changed;
}

/**
 * A greedy cover: the next treatment is the one that explains the most open cells, so a cell between two objects is not counted
 * for both. Null if some cells remain.
 */
function covering(tried: readonly TriedTreatment[], changed: ReadonlySet<number>): TriedTreatment[] | null {
  const order: TriedTreatment[] = [];
  const open = new Set(changed);
  while (open.size > 0) {
    let best: TriedTreatment | undefined;
    let most = 0;
    for (const one of tried) {
      const gain = one.cells.intersection(open).size;
      if (gain <= most) continue;
      most = gain;
      best = one;
    }
    if (best === undefined) return null;
    for (const cell of best.cells) open.delete(cell);
    order.push(best);
  }
  return order;
}
