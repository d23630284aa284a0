import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A regular expression, `startsWith` or `includes` that looks for a logical symbol reads print. */
const decision =
  /\/(?:[^/\n\\]|\\.)*[∀∃∧∨↔¬∈≤→](?:[^/\n\\]|\\.)*\/[a-z]*\.(?:test|exec)\(|(?:startsWith|endsWith|includes)\('[^'\n]*[∀∃∧∨↔¬∈≤→=][^'\n]*'\)/gu;

/** Files that still decide by what Lean prints, and how often. They read whole terms, which a goal does not carry as data; `read-term.ts` names lemmas. */
const remaining: Readonly<Record<string, number>> = {
  'src/lean/market/read-term.ts': 1,
  'src/lean/market/weakest.ts': 2,
  'src/lean/search/equations/read.ts': 2,
  'src/lean/search/equations/sorts.ts': 1,
  'src/lean/search/moves.ts': 1,
  'src/lean/search/strengthen.ts': 1,
  'src/lean/strategies/sketch/counter-example.ts': 1,
};

test('search decides by the goal’s data, not by its printed form', () => {
  const files = globSync('src/lean/{search,strategies,workbench,market}/**/*.ts');
  const found = files.flatMap((file) => {
    const count = [...readFileSync(file, 'utf8').matchAll(decision)].length;
    return count > 0 ? [[file, count] as const] : [];
  });
  expect(files.length).toBeGreaterThan(50);
  expect(Object.fromEntries(found)).toEqual(remaining);
});
