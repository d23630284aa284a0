import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoints } from '../helpers/code-points.ts';
import { cut, fit, oneLine, proofLine, widthOf } from '../../src/reporters/width.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'ℕ', '⟨', '証', '한', '👍', '👩‍🔬', '🇨🇭', 'é', 'e\u0301', '𝔽', ' ', '✓'),
});

describe('width', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['ℕ → ⟨x, y⟩', 10],
    ['証明', 4],
    ['한글', 4],
    ['e\u0301', 1],
    ['👩‍🔬', 2],
    ['🇨🇭', 2],
    ['𝔽₂', 2],
    ['\u001B[32m✓\u001B[39m ok', 4],
  ])('%j is %i columns', (shown, columns) => {
    expect(widthOf(shown)).toBe(columns);
  });

  test('a truncated text fits, keeps its beginning and shows the truncation', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 30 }), (whole, columns) => {
        const shown = cut(whole, columns);
        expect(widthOf(shown)).toBeLessThanOrEqual(columns);
        if (widthOf(whole) <= columns) expect(shown).toBe(whole);
        else if (columns > 0) {
          expect(shown.endsWith('…')).toBe(true);
          expect(whole.startsWith(shown.slice(0, -1))).toBe(true);
        }
        expect(widthOf(fit(whole, columns))).toBe(columns);
        expect(widthOf(fit(whole, columns, 'right'))).toBe(columns);
      }),
    );
  });

  test('a line never has control characters', () => {
    fc.assert(
      fc.property(anyCodePoints(), (any) => {
        expect(oneLine(any)).not.toMatch(/[\p{Control}\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });

  test.each([
    ['by omega', 'by omega'],
    ['by\n  intro h\n  exact h', 'by intro h; exact h'],
    ['by\n  constructor\n  · rfl\n  · simp', 'by constructor · rfl · simp'],
    ['by\n  simp only [\n    a,\n    b\n  ]', 'by simp only [ a, b ]'],
    ['fun x =>\n  x', 'fun x => x'],
  ])('%j reads as %j', (proof, line) => {
    expect(proofLine(proof)).toBe(line);
  });
});
