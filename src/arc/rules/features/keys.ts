import type { Scan } from '../scan.ts';
import type { Column } from './column.ts';
import { keyPairs } from './seen.ts';

/**
 * Keys that are read one way: the first colour of each pair leads to the second, perhaps on to a third. "First" is what stands
 * further left or above; for a key that is read the other way there is the other direction.
 */
const none = 0;
const several = 10;

export function hasKey(scan: Scan): boolean {
  return keyPairs(scan).length > 0;
}

function links(scan: Scan, isBack: boolean): Uint8Array {
  const next = new Uint8Array(several + 1);
  for (const [left, right] of keyPairs(scan)) {
    const [from, to] = isBack ? [right, left] : [left, right];
    if (from !== to) next[from] = next[from] === none || next[from] === to ? to : several;
  }
  return next.map((to) => (to === several ? none : to));
}

/** The colour that one step leads to; 0 when none does. */
function linked(isBack: boolean): Column {
  return (scan) => {
    const next = links(scan, isBack);
    return scan.cells.map((own) => next[own] as number);
  };
}

/** The colour at the end of all steps, a cell's own where it begins none; 0 when they go round in a circle. */
function followed(isBack: boolean): Column {
  return (scan) => {
    const next = links(scan, isBack);
    return scan.cells.map((own) => {
      let at = own;
      for (let steps = 0; steps < several; steps++) {
        const to = next[at] as number;
        if (to === none) return at;
        at = to;
      }
      return none;
    });
  };
}

export const keyColours: Readonly<Record<string, Column>> = {
  'key-next': linked(false),
  'key-before': linked(true),
  'key-end': followed(false),
  'key-begin': followed(true),
};
