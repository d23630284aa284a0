import fc from 'fast-check';
import { expect } from 'vitest';
import { SourceText } from '../../../src/lean/base/source-text.ts';
import { readHeader, type Header } from '../../../src/lean/base/header.ts';
import { type conversation } from '../../helpers/lean.ts';

type Lean = ReturnType<typeof conversation>;

/** Tokens of headers, and text that looks like them. */
const words = ['import', 'public', 'meta', 'all', 'module', 'prelude', 'imports', 'section'];
const plainNames = [
  'A',
  'B.C',
  'Init',
  'Init.Core',
  'a',
  'all',
  'importer',
  "x'",
  'n₁',
  'αβ',
  'Ünicode',
  'ℕ',
  '_y',
  'q!',
];
const quotedNames = ['«a b»', 'A.«b.c»', '«A»', '«import»', 'Дом', '𝒜', 'import.A'];
const oddNames = ['A.1', 'A.', '.A', 'A..B', '1', 'λ', 'A.«»', '«a'];
const gaps = [
  ' ',
  ' ',
  '\n',
  '  \n',
  '\r\n',
  '/-c-/',
  '/- a /- b -/ -/',
  '-- c\n',
  '/-/-/',
  '/-/ -/',
  '--\n',
];
const rareGaps = ['', '/---/ ', '/- /-/ -/ -/', '/- a /-/-/ -/', '/- -- -/'];
const oddGaps = [
  '\t',
  '\r',
  '\u00A0',
  '\u2028',
  '/-- d -/',
  '/-! d -/',
  '/--/',
  ';',
  '\uFEFF',
  '/- open',
  '-',
  '-/',
  '\u0000',
];
const ends = [
  '',
  'def x := 1',
  'theorem t : 1 = 1 := rfl',
  'import',
  'public section',
  '@[simp] def y := 2',
  '#eval 1',
];

const weighted = (
  usual: readonly string[],
  rare: readonly string[],
  odd: readonly string[],
): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...usual) },
    { weight: 4, arbitrary: fc.constantFrom(...rare) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
const gap = weighted(gaps, rareGaps, oddGaps);
const name = weighted(plainNames, quotedNames, oddNames);
const importWord = weighted(['import'], ['import'], ['Import', 'importA', 'import import']);

/** One import; only a file that begins with `module` may write more than the name. */
const anImport = (isModule: boolean): fc.Arbitrary<string> => {
  const modifiers = isModule ? ['', '', 'public', 'meta', 'public/-c-/meta'] : [''];
  const all = isModule ? ['', '', 'all'] : [''];
  const odd = ['public', 'meta public', 'all.', 'all'];
  return fc
    .tuple(weighted(modifiers, modifiers, odd), gap, importWord, gap, weighted(all, all, odd), gap, name, gap)
    .map((parts) => parts.join(''));
};
const stray = fc.tuple(fc.constantFrom(...words), gap).map((parts) => parts.join(''));
const header = fc.boolean().chain((isModule) =>
  fc
    .tuple(
      gap,
      fc.constantFrom(...(isModule ? ['module'] : ['', '', '', 'prelude', 'modules '])),
      gap,
      fc.array(fc.oneof({ weight: 20, arbitrary: anImport(isModule) }, { weight: 1, arbitrary: stray }), {
        maxLength: 4,
      }),
      fc.constantFrom(...ends),
    )
    .map((parts) => parts.flat().join('')),
);

const seed = 20_261_118;

export async function readByLean(lean: Lean, all: readonly string[]): Promise<(Header | undefined)[]> {
  const { headers } = await lean.must('headers', { texts: all.map((text) => new SourceText(text).text) });
  return headers.map((found) =>
    found.ok
      ? { isModule: found.module, imports: found.imports.filter(({ module }) => module !== 'Init') }
      : undefined,
  );
}

/** Wherever Lean finds no error, our reader must find the same imports. */
export async function expectAgreement(lean: Lean, count: number): Promise<void> {
  const texts = fc.sample(header, { numRuns: count, seed });
  const known = { read: 0, imports: 0 };
  for (let at = 0; at < texts.length; at += 2000) {
    const some = texts.slice(at, at + 2000);
    const wanted = await readByLean(lean, some);
    const pairs = some.flatMap((text, index) => {
      const found = wanted[index];
      return found ? [{ text, byLean: found, ours: readHeader(text) }] : [];
    });
    known.read += pairs.length;
    known.imports += pairs.reduce((sum, pair) => sum + pair.byLean.imports.length, 0);
    const different = pairs.filter((pair) => JSON.stringify(pair.byLean) !== JSON.stringify(pair.ours));
    expect(different.slice(0, 10)).toEqual([]);
  }
  // enough of them are headers, and import something
  expect(known.read).toBeGreaterThan(0.4 * count);
  expect(known.imports).toBeGreaterThan(0.4 * count);
}
