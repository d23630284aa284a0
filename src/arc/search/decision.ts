import { definite } from '../../core/errors.ts';
import { mostNumbers, numberOf } from './column-sample.ts';
import type { Cells, Column, Decision } from './decide.ts';

/** The group of each number (below `mostNumbers`); valid only if `stamps` has the stamp of the current table. */
const groupOf = new Int32Array(mostNumbers);
const stamps = new Int32Array(mostNumbers);
let stamp = 0;

/** Cells with equal values in all columns of a set. */
interface Groups {
  readonly count: number;
  /** Each group's first cell, which has the group's values. */
  readonly firsts: readonly number[];
  /** The mask of each pair in each group, by group then pair, for leave-one-out; all bits if the pair lacks the group. */
  readonly masks: readonly number[];
  /** Whether a pair has a cell of a group. */
  readonly shown: readonly boolean[];
}

/** The table over a set of columns, and how far to trust it. */
export function decisionFor(cells: Cells, set: readonly Column[]): Decision {
  const { trainPairs, answers, right } = cells;
  const groups = groupsOf(cells, set);
  const bits: number[] = [];
  const entries: { key: string; bit: number }[] = [];
  for (let group = 0; group < groups.count; group++) {
    let mask = -1;
    for (let pair = 0; pair < trainPairs; pair++) mask &= groups.masks[group * trainPairs + pair] ?? 0;
    // An undecided group keeps its cells: a later step may decide them.
    const bit = firstAnswer(mask);
    bits.push(bit);
    entries.push({ key: keyOf(set, groups.firsts[group] ?? 0), bit });
  }
  const ends = definite(cells.pairEnd.at(-1));
  const testAnswers = new Uint8Array(ends - right.length);
  let unknownCells = 0;
  for (let i = right.length; i < ends; i++) {
    const number = numberOf(set, i);
    if (stamps[number] === stamp) testAnswers[i - right.length] = bits[groupOf[number] ?? 0] ?? 0;
    else unknownCells++;
  }
  const table: Record<string, string> = {};
  let decisions = 0;
  for (const { key, bit } of entries.sort((one, other) => (one.key < other.key ? -1 : 1))) {
    table[key] = definite(answers[bit]);
    // Keeping a cell is the default and costs little; reading a colour from another place costs more than naming one.
    decisions += bit === 0 ? 0.25 : bit <= 10 ? 1 : 3;
  }
  return {
    columns: set,
    table,
    testAnswers,
    unknownCells,
    held: heldPairs(trainPairs, groups) / trainPairs,
    cost: 8 + priceOf(set) + Math.min(50, Math.round(decisions)),
  };
}

/** The index of the lowest bit; 0 if there is none. */
function firstAnswer(mask: number): number {
  return mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
}

function groupsOf({ right, pairEnd, trainPairs }: Cells, set: readonly Column[]): Groups {
  stamp++;
  const firsts: number[] = [];
  const masks: number[] = [];
  const shown: boolean[] = [];
  let pair = 0;
  for (let i = 0; i < right.length; i++) {
    while (i >= (pairEnd[pair] ?? 0)) pair++;
    const number = numberOf(set, i);
    if (stamps[number] !== stamp) {
      stamps[number] = stamp;
      groupOf[number] = firsts.length;
      firsts.push(i);
      for (let other = 0; other < trainPairs; other++) {
        masks.push(-1);
        shown.push(false);
      }
    }
    const at = (groupOf[number] ?? 0) * trainPairs + pair;
    masks[at] = (masks[at] ?? 0) & (right[i] ?? 0);
    shown[at] = true;
  }
  return { count: firsts.length, firsts, masks, shown };
}

function keyOf(set: readonly Column[], i: number): string {
  return set.map(({ values }) => values[i]).join(',');
}

/** The number of pairs that the other pairs alone decide correctly: every group is known, and its answer is right. */
function heldPairs(trainPairs: number, { count, masks, shown }: Groups): number {
  let held = 0;
  for (let pair = 0; pair < trainPairs; pair++) {
    let good = true;
    for (let group = 0; group < count && good; group++) {
      const from = group * trainPairs;
      if (shown[from + pair] !== true) continue;
      let others = -1;
      let isAlone = true;
      for (let other = 0; other < trainPairs; other++) {
        if (other === pair || shown[from + other] !== true) continue;
        others &= masks[from + other] ?? 0;
        isAlone = false;
      }
      // A group that no other pair has counts as "keep".
      const lowest = isAlone ? 1 : others & -others;
      good = (lowest & (masks[from + pair] ?? 0)) !== 0;
    }
    if (good) held++;
  }
  return held;
}

export function priceOf(set: readonly Column[]): number {
  return set.reduce((sum, { price }) => sum + price, 0);
}

/**
 * A table with entries for the keys that only test inputs have: the answer that is right for all training rows that differ in one
 * column only, whichever column that is. A key without such rows, or whose neighbours disagree, keeps the default.
 */
export function completed(cells: Cells, decision: Decision): Decision {
  const { columns: set, unknownCells } = decision;
  if (unknownCells === 0 || set.length < 2) return decision;
  const table: Record<string, string> = { ...decision.table };
  const testAnswers = decision.testAnswers.slice();
  const masks = new Map<string, number>(Object.keys(table).map((key) => [key, 0]));
  for (const at of testAnswers.keys()) {
    const row = cells.right.length + at;
    const key = keyOf(set, row);
    const mask = masks.get(key) ?? neighboursMask(cells, set, row);
    masks.set(key, mask);
    if (mask === 0) continue;
    testAnswers[at] = firstAnswer(mask);
    table[key] = definite(cells.answers[firstAnswer(mask)]);
  }
  return { ...decision, table, testAnswers };
}

/** The answers that are right for every training row that has the row's values in all columns but one; 0 if there is none. */
function neighboursMask({ right }: Cells, set: readonly Column[], row: number): number {
  let mask = -1;
  for (let i = 0; i < right.length; i++) {
    let other = 0;
    for (const { values } of set) if (values[i] !== values[row] && ++other > 1) break;
    if (other === 1) mask &= right[i] ?? 0;
  }
  return mask === -1 ? 0 : mask;
}

/** The answer of a table for a row; the default if the row's key is not in the table. */
function answerAt({ columns, table }: Decision, answers: readonly string[], row: number): number {
  const answer = table[keyOf(columns, row)];
  return answer === undefined ? 0 : answers.indexOf(answer);
}

/** Whether a table is right for every row of a training pair. */
export function isRightFor(decision: Decision, { right, pairEnd, answers }: Cells, pair: number): boolean {
  for (let row = pairEnd[pair - 1] ?? 0; row < (pairEnd[pair] ?? 0); row++)
    if ((((right[row] ?? 0) >>> answerAt(decision, answers, row)) & 1) === 0) return false;
  return true;
}
