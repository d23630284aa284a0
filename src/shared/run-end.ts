const words: Readonly<Record<string, string>> = { drained: 'stopped', timeout: 'time was up' };

/** How a run ended, in the words that people use. */
export function endWord(reason: string): string {
  return words[reason] ?? reason;
}
