import { expect, test } from 'vitest';
import { searchRetrievers, suggestionRetriever } from '../../../src/lean/premises/suggested.ts';
import { conversation, openPool } from '../../helpers/lean.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';

const lean = conversation();

test('Lean’s own premise selection is used where it is imported, and adds nothing elsewhere', async () => {
  const statement = 'theorem t (xs ys : List Nat) : (xs ++ ys).reverse = ys.reverse ++ xs.reverse';
  const query = { symbols: [], text: statement };
  const namesIn = async (image: 'std' | 'init'): Promise<string[]> => {
    await using pool = await openPool({}, await embeddedLean(image));
    return await pool.use(async (lease) => {
      const suggested = await suggestionRetriever(lease, { session: lease.rootSession, statement });
      return (await suggested.rank(query, 100)).map(({ name }) => name);
    });
  };
  expect(await namesIn('std')).toContain('List.reverse_append');
  expect(await namesIn('init')).toEqual([]);
});

test.each([
  [
    'theorem t (a b c : Nat) : a * (b + c) = a * b + a * c',
    false,
    { exact: /^Nat\.(?:mul_add|left_distrib)$/ },
  ],
  ['theorem t (a b c : Nat) : a ∣ b + c', false, { apply: /^Nat\.dvd_/, rewrite: /^Nat\./ }],
  ['theorem t (xs ys : List Nat) : ∀ same, (xs ++ ys).length = same', true, { rewrite: /^List\./ }],
])('Lean’s searches find theorems for %s', async (statement, isTerm, expected) => {
  const found = await lean.pool.use(async (lease) => {
    const asked = { session: lease.rootSession, statement };
    return await searchRetrievers(lease, asked, isTerm, (name) => name.includes('.'));
  });
  expect(found.map(({ name }) => name)).toEqual(Object.keys(expected));
  for (const [index, pattern] of Object.values(expected).entries()) {
    const [first] = (await found[index]?.rank({ symbols: [], text: '' }, 1)) ?? [];
    expect(first?.name).toMatch(pattern);
  }
});
