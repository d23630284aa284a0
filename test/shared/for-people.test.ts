import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoints } from '../helpers/code-points.ts';
import { escaped, forPeople, harmless, jsonForLog, linesForPeople } from '../../src/shared/for-people.ts';

const deceptive = /[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Surrogate}]/u;

describe('showing foreign text', () => {
  test.for([
    ['a line break', 'x\n✓ accepted boom', String.raw`x\n✓ accepted boom`],
    ['an escape sequence', 'x\u001B[2K', String.raw`x\u{1B}[2K`],
    ['a one-byte escape sequence', 'x\u009B2K', String.raw`x\u{9B}2K`],
    ['a carriage return', 'x\ry', String.raw`x\ry`],
    ['a mark that turns the direction', 'x\u202Ey', String.raw`x\u{202E}y`],
    ['a letter of no width', 'x\u200By', String.raw`x\u{200B}y`],
    ['a line separator', 'x\u2028y', String.raw`x\u{2028}y`],
    ['a tag', 'x\u{E0041}y', String.raw`x\u{E0041}y`],
    ['a filler', 'x\u3164y', String.raw`x\u{3164}y`],
    ['half a surrogate', 'x\uD800y', String.raw`x\u{D800}y`],
    ["a command to GitHub's runner", 'x ##[add-mask]accepted', String.raw`x ##\u{5B}add-mask]accepted`],
    ['names of mathematics', 'α ∀ ℝ 𝓕 «my thm» ✓', 'α ∀ ℝ 𝓕 «my thm» ✓'],
  ] as const)('%s', ([, text, shown]) => {
    expect(forPeople(text)).toBe(shown);
  });

  test('a line of JSON keeps its data and contains no command for a runner', () => {
    const value = { message: '##[error]x \\##[', list: ['##', '[##['] };
    expect(jsonForLog(value)).not.toContain('##[');
    expect(JSON.parse(jsonForLog(value))).toEqual(value);
  });

  test('misleading characters are removed from any text', () => {
    fc.assert(
      fc.property(anyCodePoints(), (text) => {
        expect(forPeople(text)).not.toMatch(deceptive);
        expect(escaped`✓ ${text}`).not.toMatch(deceptive);
        for (const shown of [forPeople(`${text}##[`), linesForPeople(`##[${text}`)])
          expect(shown).not.toContain('##[');
        expect(harmless(text).replaceAll(/[\n\t]/g, '')).not.toMatch(deceptive);
        for (const line of linesForPeople(text).split('\n').slice(1)) expect(line).toMatch(/^ {4}│ /);
      }),
    );
  });
});
