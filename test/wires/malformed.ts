import type { SeededRandom } from '../helpers/random.ts';

/** Values that are wrong in their place. */
const odd: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.5,
  '',
  'theorem',
  '\u0000',
  '\ud800',
  '𝔄'.repeat(50),
  [],
  {},
  [[[[]]]],
  { cmd: {} },
];
const scraps = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u12',
  '\u0000',
  '\u2028',
  '"a":',
  'null',
  '1e',
  '-',
  '⟨',
  '\t',
];

/** Messages like the given ones, and wrong: in their bytes, in their fields, in both. No line ends: each is one line. */
export function malformed(random: SeededRandom, examples: readonly object[]): string {
  const example = structuredClone(random.pick(examples)) as Record<string, unknown>;
  const isBroken = random.below(2) === 0;
  if (random.below(3) > 0) changeField(random, example);
  const text = JSON.stringify(example);
  return isBroken ? breakText(random, text) : text;
}

function changeField(random: SeededRandom, value: Record<string, unknown>): void {
  const key = random.pick([...Object.keys(value), 'extra']);
  const inner = value[key];
  if (typeof inner === 'object' && inner !== null && random.below(2) === 0 && Object.keys(inner).length > 0)
    changeField(random, inner as Record<string, unknown>);
  else if (random.below(3) === 0) delete value[key];
  else value[key] = random.pick(odd);
}

function breakText(random: SeededRandom, text: string): string {
  const at = random.below(text.length);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1);
    case 2:
      return text.slice(0, at) + random.pick(scraps) + text.slice(at);
    case 3:
      return text + text;
    case 4:
      return `${'['.repeat(5000)}${text}`;
    default:
      return Array.from({ length: 1 + random.below(40) }, () => random.pick(scraps)).join('');
  }
}
