/** Textual similarity of two statements: a hint, never evidence that they are equivalent. */

/** From 0, nothing in common, to 1: the same tokens, variables aside (Jaccard's measure over bags of tokens). */
export function similarity(first: string, second: string): number {
  const [here, there] = [countTokens(first), countTokens(second)];
  let shared = 0;
  let all = 0;
  for (const token of new Set([...here.keys(), ...there.keys()])) {
    const [some, others] = [here.get(token) ?? 0, there.get(token) ?? 0];
    shared += Math.min(some, others);
    all += Math.max(some, others);
  }
  return all === 0 ? 0 : shared / all;
}

/** Whether the texts are equal except for spaces and the theorem's name. */
export function isSameText(first: string, second: string): boolean {
  return withoutName(first) === withoutName(second);
}

const identifier = String.raw`[\p{L}_][\p{L}\p{N}_'.!?₀-₉]*`;
const token = new RegExp(String.raw`${identifier}|\d+|[^\s\p{L}\p{N}]`, 'gu');
const theoremHead = new RegExp(String.raw`^\s*(?:theorem|lemma)\s+${identifier}\s*`, 'u');
/** `a`, `xs`, `h₁`: names that people give to variables, and choose differently. */
const variable = /^\p{Ll}{1,2}['₀-₉\d]*$/u;

function countTokens(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.replace(theoremHead, '').matchAll(token)) {
    const normal = variable.test(word) ? '·' : word;
    counts.set(normal, (counts.get(normal) ?? 0) + 1);
  }
  return counts;
}

function withoutName(text: string): string {
  return text.replace(theoremHead, '').replaceAll(/\s+/g, ' ').trim();
}
