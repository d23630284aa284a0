const words: Readonly<Record<string, string>> = { drained: 'stopped', timeout: 'timed out' };

/** How a run ended, for display. */
export function endWord(reason: string): string {
  return words[reason] ?? reason;
}
