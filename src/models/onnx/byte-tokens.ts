/**
 * ByT5's tokens: the UTF-8 bytes of a text, offset by the number of special tokens, followed by the end token. Tokens
 * that are not a byte (there are spare ones above the bytes) are skipped when decoding.
 */
export const endToken = 1;
const firstByte = 3;

/** A text that is too long is cut at its start, because a state ends with the goal. */
export function tokensOf(text: string, most: number): number[] {
  const bytes = [...Buffer.from(text, 'utf8')].slice(1 - most);
  return [...bytes.map((byte) => byte + firstByte), endToken];
}

export function textOf(tokens: readonly number[]): string {
  const bytes = tokens.map((token) => token - firstByte).filter((byte) => byte >= 0 && byte < 256);
  return Buffer.from(bytes).toString('utf8');
}
