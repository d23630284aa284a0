/** The lists of words that the search chooses from. */
export type Words =
  | 'operation'
  | 'variant'
  | 'criterion'
  | 'cell feature'
  | 'cell colour'
  | 'member feature'
  | 'object feature'
  | 'move'
  | 'treatment'
  | 'treatment colour'
  | 'learner'
  | 'view';

const off = new Set<string>();

/**
 * Makes every later search of this thread do without some words, written `list:word`. Programs that use them still run:
 * an ablation asks what finding them is worth.
 */
export function doWithout(words: readonly string[]): void {
  off.clear();
  for (const word of words) off.add(word);
}

export function isOffered(list: Words, word: string): boolean {
  return off.size === 0 || !off.has(`${list}:${word}`);
}

export function offered(list: Words, words: readonly string[]): readonly string[] {
  return off.size === 0 ? words : words.filter((word) => isOffered(list, word));
}
