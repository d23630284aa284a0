import { expect, test } from 'vitest';
import { isWithoutLibrary, readHeader, withoutImports } from '../../../src/lean/base/header.ts';
import { conversation } from '../../helpers/lean.ts';
import { expectAgreement, readByLean } from './headers.ts';

const lean = conversation();

test('600 generated headers are read as Lean reads them', async () => {
  await expectAgreement(lean, 600);
});

test('a comment counts as white space', async () => {
  const odd = [
    'import/-c-/Aa',
    'import«A»',
    'module/-x-/import/-y-/all/-z-/A/-w-/import B',
    'import\n\nA--c\nimport B',
  ];
  expect(odd.map((text) => readHeader(text))).toEqual(await readByLean(lean, odd));
  expect(odd.map((text) => readHeader(text).imports.length)).toEqual([1, 1, 2, 2]);
});

test('imports are left out without moving a line', () => {
  const text = '/- a -/\nmodule\npublic import A -- b\nimport all\n  B.C\n\n/-- d -/\ndef import_x := 1\n';
  expect(withoutImports(text)).toBe('/- a -/\nmodule\n\n\n\n\n/-- d -/\ndef import_x := 1\n');
  expect(withoutImports('def a := 1\n')).toBe('def a := 1\n');
});

test('a file with prelude has the library if it imports Init', () => {
  const texts = [
    'prelude\nimport Init.Core\n',
    'module\nprelude',
    'prelude\nimport Init\n',
    'import Init.Core\n',
  ];
  expect(texts.map(isWithoutLibrary)).toEqual([true, true, false, false]);
});
