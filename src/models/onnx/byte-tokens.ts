/**
 * ByT5's tokens: a text's UTF-8 bytes, each moved up by the special tokens, and the end behind them. What no byte stands for (there
 * are spare tokens above the bytes) is left out when a text is read back.
 */
export const endToken = 1;
const firstByte = 3;

/** A text that is too long loses its beginning, because a state ends with the goal. */
export function tokensOf(text: string, most: number): number[] {
  const bytes = [...Buffer.from(text, 'utf8')].slice(1 - most);
  return [...bytes.map((byte) => byte + firstByte), endToken];
}

export function textOf(tokens: readonly number[]): string {
  const bytes = tokens.map((token) => token - firstByte).filter((byte) => byte >= 0 && byte < 256);
  return Buffer.from(bytes).toString('utf8');
}
