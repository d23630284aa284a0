const words: Readonly<Record<string, string>> = { drained: 'stopped', timeout: 'timed out' };

/** How a run ended, in the words that people use. */
export function endWord(reason: string): string {
  return words[reason] ?? reason;
}
