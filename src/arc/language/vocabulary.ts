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
 * Switches off some words, written `list:word`, for all later searches of this thread. Programs that use them still
 * run: an ablation measures the value of finding them.
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
