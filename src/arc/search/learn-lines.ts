import { definite } from '../../core/errors.ts';
import { sameGrid } from '../grid/grid.ts';
import { lineUp, lineWays, type LineWay } from '../language/compose.ts';
import { criteria } from '../language/criteria.ts';
import { filledCount, type Image } from '../language/image.ts';
import { type Arguments } from '../language/operation.ts';
import { isOffered } from '../language/vocabulary.ts';
import type { ListSource } from './lists.ts';
import { cellsAnEvaluation, type Work } from './work.ts';
import { makingList } from '../language/registry.ts';

/** Outputs that are all images of a list, lined up in an order: which list, and the steps on it. */
export interface LineRule {
  readonly list: number;
  readonly steps: readonly { readonly op: string; readonly args: Arguments }[];
  /** The share of pairs that an order which was chosen without them gets right. */
  readonly held: number;
}

/** In the order of the list, or by any criterion. */
const orders: readonly (string | null)[] = [null, ...criteria];

/** Tries every order on the lists whose images together are as long and as thick as the outputs; these are few. */
export function learnLines(
  lists: readonly Omit<ListSource, 'emit'>[],
  targets: readonly Image[],
  work: Work,
  most: number,
): LineRule[] {
  const rules: LineRule[] = [];
  const seen = new Set<string>();
  for (const [list, { members }] of lists.entries()) {
    for (const way of lineWays) {
      if (!targets.every((target, pair) => isAsLarge(definite(members[pair]), way, target))) continue;
      work.spend((orders.length * cellsOf(members)) / cellsAnEvaluation.tabled);
      const fits = orders.map((by) =>
        targets.map((target, pair) => {
          const made = lined(definite(members[pair]), by, way);
          return made !== null && sameGrid(made, target);
        }),
      );
      for (const [order, right] of fits.entries()) {
        if (rules.length === most) return rules;
        if (!isOffered('criterion', orders[order] ?? '')) continue;
        if (!right.every(Boolean)) continue;
        const by = definite(orders[order]);
        const key = members
          .slice(targets.length)
          .map((test) => lined(test, by, way)?.cells.join(''))
          .join('|');
        if (seen.has(key)) continue;
        seen.add(key);
        const sort = by === null ? [] : [{ op: 'sort', args: { by } }];
        rules.push({ list, steps: [...sort, { op: 'line_up', args: { way } }], held: heldOut(fits) });
      }
    }
  }
  return rules;
}

function cellsOf(members: readonly (readonly Image[])[]): number {
  return members.flat().reduce((sum, { cells }) => sum + cells.length, 0);
}

/** Whether a list is as long, as thick and as full as the output. */
function isAsLarge(list: readonly Image[], way: LineWay, target: Image): boolean {
  if (list.length < 2) return false;
  const isAcross = way.startsWith('across');
  const length = list.reduce((sum, { width, height }) => sum + (isAcross ? width : height), 0);
  if (length !== (isAcross ? target.width : target.height)) return false;
  const thickness = Math.max(...list.map(({ width, height }) => (isAcross ? height : width)));
  if (thickness !== (isAcross ? target.height : target.width)) return false;
  return list.reduce((sum, { cells }) => sum + filledCount(cells), 0) === filledCount(target.cells);
}

function lined(list: readonly Image[], by: string | null, way: LineWay): Image | null {
  if (by === null) return lineUp(list, way);
  return lineUp(makingList('sort', { by })(list), way);
}

/** Leaves each pair out: does the first order that fits the others fit it too? */
function heldOut(fits: readonly (readonly boolean[])[]): number {
  const pairs = fits[0]?.length ?? 0;
  let held = 0;
  for (let out = 0; out < pairs; out++)
    if (fits.find((right) => right.every((is, pair) => is || pair === out))?.[out] === true) held++;
  return held / pairs;
}
