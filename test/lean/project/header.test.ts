import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHeader, type Header } from '../../../src/lean/project/header.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

/** What headers are made of, and what looks like it. */
const words = ['import', 'import', 'import', 'public', 'meta', 'all', 'module', 'prelude', 'imports', 'section'];
const plainParts = ['A', 'B.C', 'Init', 'Init.Core', 'a', 'all', 'importer', "x'", 'n₁', 'αβ', 'Ünicode', 'ℕ', '_y', 'q!'];
const oddParts = ['«a b»', 'A.«b.c»', '«A»', '«import»', 'Дом', 'A.1', 'A.', '.A', 'A..B', '1', 'λ', 'A.«»', 'import.A', '«a', '𝒜'];
const gaps = [' ', ' ', ' ', '\n', '  \n', '\r\n', '/-c-/', '/- a /- b -/ -/', '-- c\n', '/-/-/', '/-/ -/', '--\n', '/---/ ', ''];
const oddGaps = ['\t', '\r', '\u00A0', '\u2028', '/-- d -/', '/-! d -/', '/--/', ';', '\uFEFF', '/- open', '-', '-/', '\u0000'];
const ends = ['', 'def x := 1', 'theorem t : 1 = 1 := rfl', 'import', 'public section', '@[simp] def y := 2', '#eval 1'];

const weighted = (usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const gap = weighted(gaps, oddGaps);
const name = weighted(plainParts, oddParts);
const anImport = fc.tuple(
  fc.constantFrom('', '', '', 'public', 'meta', 'public meta', 'meta public'),
  gap,
  weighted(['import'], ['Import', 'importA', 'import import']),
  gap,
  fc.constantFrom('', '', '', 'all', 'all/-c-/', 'all.'),
  gap,
  name,
  gap,
);
const header = fc
  .tuple(
    fc.constantFrom('', '', 'module', 'module\n', 'prelude ', 'module/-c-/prelude', 'modules '),
    gap,
    fc.array(fc.oneof({ weight: 6, arbitrary: anImport }, { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...words), gap) }), {
      maxLength: 5,
    }),
    fc.constantFrom(...ends),
  )
  .map(([start, space, imports, end]) => [start, space, ...imports.flat(), end].join(''));

const seed = 20_261_118;
const texts = fc.sample(header, { numRuns: 10_000, seed });

async function byLean(all: readonly string[]): Promise<(Header | undefined)[]> {
  const { headers } = await lean.must('headers', { texts: all });
  return headers.map((found) =>
    found.ok
      ? { isModule: found.module, imports: found.imports.filter(({ module }) => module !== 'Init') }
      : undefined,
  );
}

describe('headers', () => {
  test('10,000 of them are read as Lean reads them, wherever Lean finds no error', async () => {
    const known = { read: 0, imports: 0 };
    for (let at = 0; at < texts.length; at += 2000) {
      const some = texts.slice(at, at + 2000);
      const wanted = await byLean(some);
      const pairs = some.flatMap((text, index) => {
        const lean = wanted[index];
        return lean ? [{ text, lean, ours: readHeader(text) }] : [];
      });
      known.read += pairs.length;
      known.imports += pairs.reduce((sum, pair) => sum + pair.lean.imports.length, 0);
      const different = pairs.filter(({ lean, ours }) => JSON.stringify(lean) !== JSON.stringify(ours));
      expect(different.slice(0, 10)).toEqual([]);
    }
    // most are headers, and most of those import something
    expect(known.read).toBeGreaterThan(4000);
    expect(known.imports).toBeGreaterThan(6000);
  });

  test('a comment may stand where a space may', async () => {
    const odd = ['import/-c-/Aa', 'import«A»', '/-x-/import/-y-/all/-z-/A/-w-/import B', 'import\n\nA--c\nimport B'];
    expect(odd.map((text) => readHeader(text))).toEqual(await byLean(odd));
    expect(odd.map((text) => readHeader(text).imports.length)).toEqual([1, 1, 2, 2]);
  });
});
