import { itemAt } from '../core/item-at.ts';

/** The word probably meant: the nearest by edit distance, if at most a third of it differs. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const best = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best !== undefined && best.distance <= Math.max(2, best.candidate.length / 3)
    ? best.candidate
    : undefined;
}

/** Levenshtein distance, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries()) {
      const kept = itemAt(row, j) + (letter === other ? 0 : 1);
      next.push(Math.min(kept, itemAt(row, j + 1) + 1, itemAt(next, j) + 1));
    }
    row = next;
  }
  return itemAt(row, b.length);
}
