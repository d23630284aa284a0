/** `1 goal`, `2 goals`; `more` is for words that do not only gain an s. */
export const plural = (count: number, word: string, more = `${word}s`): string =>
  `${count} ${count === 1 ? word : more}`;
