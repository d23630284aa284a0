import { expect, test } from 'vitest';
import { SourceText } from '../../../src/lean/base/source-text.ts';
import { outsideDeclarations } from '../../../src/lean/writing/outside.ts';
import type { Declared } from '../../../src/lean/base/protocol.ts';

/** A theorem on the first lines of a text, and text after it. */
const outside = (proof: string, behind = ''): string => {
  const text = `theorem t : 1 = 1 := ${proof}${behind}\n\nopen Nat\n`;
  const lines = `theorem t : 1 = 1 := ${proof}`.split('\n');
  const theorem: Declared = {
    word: 'theorem',
    name: 't',
    at: [1, 0],
    start: [1, 0],
    end: [lines.length, lines.at(-1)?.length ?? 0],
    constants: ['t'],
    bound: [],
    taken: false,
    expected: false,
  };
  return outsideDeclarations(new SourceText(text), [theorem]);
};

test('a proof may be long or short, and may end in a comment', () => {
  expect(outside('by\n  rfl')).toBe(outside('sorry'));
  expect(outside('rfl', ' -- done')).toBe(outside('sorry'));
});

test.for([
  '\n\nopen List',
  '\nattribute [simp] foo',
  '\n/- -/ axiom x : False',
  '\nmacro_rules | `(2) => `(1)',
])('a command after the proof is detected: %j', (command) => {
  expect(outside('rfl', command)).not.toBe(outside('sorry'));
});
