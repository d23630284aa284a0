import { expect, test } from 'vitest';
import { fuse, useRetriever, type Retriever } from '../../../src/lean/premises/retrieve.ts';

const fixed = (name: string, ...order: string[]): Retriever => ({
  name,
  rank: (_, limit) => order.slice(0, limit).map((one, index) => ({ name: one, score: -index })),
});
const query = { symbols: [], text: 'theorem t (a b : Nat) : gcd a b = gcd b a' };
const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);

/** Two premises, the first of which was tried before. */
const afterTrials = async (helped: number, tried = 40): Promise<string[]> =>
  names(await fuse([fixed('symbols', 'x', 'y')], query, 2, new Map([['x', { name: 'x', tried, helped }]])));

test('a premise that two retrievers find is ranked above the best one of a single retriever', async () => {
  const found = await fuse([fixed('symbols', 'x', 'y'), fixed('words', 'z', 'y')], query, 3);
  expect(names(found)).toEqual(['y', 'x', 'z']);
  expect(found[0]?.places).toEqual({ symbols: 2, words: 2 });
});

test('a premise tried often without success sinks; one that helped once does not', async () => {
  expect(await afterTrials(0)).toEqual(['y', 'x']);
  expect(await afterTrials(1)).toEqual(['x', 'y']);
});

test('a premise with too many failures is omitted', async () => {
  expect(await afterTrials(0, 400)).toEqual(['y']);
  expect(await afterTrials(1, 400)).toEqual(['x', 'y']);
});

test('premises used by proofs of similar statements are found', async () => {
  const uses = [
    { statement: 'theorem u (m n : Nat) : gcd m n = gcd n m', premises: ['Nat.gcd_comm'] },
    {
      statement: 'theorem v (xs : List Nat) : xs.reverse.length = xs.length',
      premises: ['List.length_reverse'],
    },
  ];
  expect(names(await useRetriever(uses).rank(query, 5))).toEqual(['Nat.gcd_comm']);
});
