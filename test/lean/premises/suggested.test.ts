import { expect, test } from 'vitest';
import { suggestionRetriever } from '../../../src/lean/premises/suggested.ts';
import { openPool } from '../../helpers/lean.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';

test('Lean’s own premise selection is used where it is imported, and adds nothing elsewhere', async () => {
  const statement = 'theorem t (xs ys : List Nat) : (xs ++ ys).reverse = ys.reverse ++ xs.reverse';
  const query = { symbols: [], text: statement };
  const namesIn = async (image: 'std' | 'init'): Promise<string[]> => {
    await using pool = await openPool({}, await embeddedLean(image));
    return await pool.use(async (lease) => {
      const lean = await suggestionRetriever(lease, { session: lease.rootSession, statement });
      return (await lean.rank(query, 100)).map(({ name }) => name);
    });
  };
  expect(await namesIn('std')).toContain('List.reverse_append');
  expect(await namesIn('init')).toEqual([]);
});
