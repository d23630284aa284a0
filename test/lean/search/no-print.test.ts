import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Code that looks for a logical symbol or an operator in a text, or takes apart what Lean prints of a goal. */
const decisions: readonly RegExp[] = [
  /\/(?:[^/\n\\]|\\.)*[∀∃∧∨↔¬∈≤→⊢](?:[^/\n\\]|\\.)*\/[a-z]*/gu,
  /(?:startsWith|endsWith|includes|indexOf|split|matchAll|match|search|test|exec)\('[^'\n]*[∀∃∧∨↔¬∈≤→⊢][^'\n]*'\)/gu,
  // a method of the printed target or type; a signature is the user's own text
  /(?<!signature\.)\b(?:target|type)\??\.(?:startsWith|endsWith|includes|indexOf|split|match|matchAll|replace|replaceAll|search|slice|length)\b/gu,
  /\.(?:test|exec)\((?:[\w?]+\.)*(?:target|type)\b/gu,
];

test('search decides by the goal’s data, not by its printed form', () => {
  const files = globSync('src/lean/{search,strategies,workbench,market}/**/*.ts');
  const found = files.flatMap((file) => {
    // comments may use any symbol
    const text = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gmu, '');
    return decisions.flatMap((decision) => [...text.matchAll(decision)].map(([one]) => `${file}: ${one}`));
  });
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
