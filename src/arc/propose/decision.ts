import type { Cells, Column, Decision } from './decide.ts';

interface Group {
  mask: number;
  /** The first cell, which has the group's values. */
  readonly first: number;
  /** The mask of each pair that shows the group, for the leave-one-out check. */
  readonly pairs: Map<number, number>;
}

/** The table over a set of columns, and how far to trust it. */
export function decisionFor(cells: Cells, set: readonly Column[]): Decision {
  const groups = new Map<number, Group>();
  let pair = 0;
  for (let i = 0; i < cells.right.length; i++) {
    while (i >= (cells.pairEnd[pair] as number)) pair++;
    const number = numberOf(set, i);
    let group = groups.get(number);
    if (group === undefined) {
      group = { mask: -1, first: i, pairs: new Map() };
      groups.set(number, group);
    }
    group.mask &= cells.right[i] as number;
    group.pairs.set(pair, (group.pairs.get(pair) ?? -1) & (cells.right[i] as number));
  }
  let unknownCells = 0;
  for (let i = cells.right.length; i < (cells.pairEnd.at(-1) as number); i++)
    if (!groups.has(numberOf(set, i))) unknownCells++;
  const entries = Array.from(groups.values(), ({ mask, first }) => ({ key: keyOf(set, first), mask }));
  const table: Record<string, string> = {};
  let decisions = 0;
  for (const { key, mask } of entries.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    // An undecided group keeps its cells: a later step may decide them.
    const bit = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    table[key] = cells.answers[bit] as string;
    // Keeping a cell is the default, hardly a decision; reading a colour elsewhere is more than naming one.
    decisions += bit === 0 ? 0.25 : bit <= 10 ? 1 : 3;
  }
  return {
    columns: set,
    table,
    unknownCells,
    held: heldPairs(cells.trainPairs, groups) / cells.trainPairs,
    cost: 8 + priceOf(set) + Math.min(50, Math.round(decisions)),
  };
}

/** The values of a cell as one number. */
export function numberOf(set: readonly Column[], i: number): number {
  let number = 0;
  for (const { values, kinds } of set) number = number * kinds + (values[i] as number);
  return number;
}

function keyOf(set: readonly Column[], i: number): string {
  return set.map(({ values }) => values[i]).join(',');
}

/** Pairs that the other pairs alone would have decided rightly: every group known, and its answer right. */
function heldPairs(trainPairs: number, groups: ReadonlyMap<number, Group>): number {
  let held = 0;
  for (let pair = 0; pair < trainPairs; pair++) {
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

export function priceOf(set: readonly Column[]): number {
  return set.reduce((sum, { price }) => sum + price, 0);
}

/** The answer that a table has for a row; one that it does not know is the default. */
export function answerAt({ columns, table }: Decision, answers: readonly string[], row: number): number {
  const answer = table[keyOf(columns, row)];
  return answer === undefined ? 0 : answers.indexOf(answer);
}

/** Whether a table is right for every row of a training pair. */
export function isRightFor(decision: Decision, { right, pairEnd, answers }: Cells, pair: number): boolean {
  for (let row = pairEnd[pair - 1] ?? 0; row < (pairEnd[pair] as number); row++)
    if ((((right[row] as number) >>> answerAt(decision, answers, row)) & 1) === 0) return false;
  return true;
}
