import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import {
  cachedByMeaning,
  encoded,
  projectByMeaning,
} from '../../../../src/lean/premises/encoder/retriever.ts';
import { PremiseEncoder } from '../../../../src/lean/premises/encoder/encoder.ts';
import { goalFeatures, premiseFeatures } from '../../../../src/lean/premises/encoder/features.ts';
import type { Premise } from '../../../../src/store/premises/premise.ts';
import { openShards } from '../../../../src/store/premises/shards.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';

const weights = new URL('../../../../policy/premise-encoder/weights.bin', import.meta.url);
const encoder = new PremiseEncoder(readFileSync(weights));

function product(first: Float64Array, second: Float64Array): number {
  return first.reduce((sum, value, index) => sum + value * (second[index] ?? 0), 0);
}

const theorem = (name: string, module: string, ...symbols: string[]): Premise => ({
  name,
  kind: 'theorem',
  module,
  symbols,
});

test('features are words of names and operators, and unordered pairs of neighbours', () => {
  const { main, rest } = goalFeatures(
    'theorem t (xs ys : List α) : (xs ++ ys).length = ys.length + xs.length',
  );
  expect(main).toEqual(expect.arrayContaining(['append', 'length', 'append+length', 'eq', 'add']));
  expect(main).not.toContain('xs');
  expect(rest).toEqual(['list']);
  const premise = premiseFeatures('List.length_append', {
    symbols: ['List', 'Eq', 'HAdd.hAdd', 'instHAdd', 'Nat'],
  });
  expect(premise.main).toContain('append+length');
  expect(premise.rest).toEqual(['add', 'eq', 'list', 'nat']);
});

test('a goal is closer to the lemma that proves it than to others with the same words', () => {
  const goal = encoder.encode(
    goalFeatures('theorem t (a b c : Nat) (h : a ∣ b) (k : a ∣ c) : a ∣ b + c'),
    'goal',
  );
  const score = (name: string, ...symbols: string[]): number =>
    product(goal, encoder.encode(premiseFeatures(name, { symbols }), 'premise'));
  const best = score('Nat.dvd_add', 'Nat', 'Dvd.dvd', 'HAdd.hAdd');
  expect(best).toBeGreaterThan(score('Nat.add_mul', 'Nat', 'HMul.hMul', 'HAdd.hAdd', 'Eq'));
  expect(best).toBeGreaterThan(score('List.length_append', 'List', 'Nat', 'HAdd.hAdd', 'Eq'));
});

test('goal vectors have length one, also for unknown words, and the same bytes on every machine', () => {
  const known = encoder.encode(goalFeatures('theorem t (n : Nat) : n + 0 = n'), 'goal');
  expect(product(known, known)).toBeCloseTo(1, 12);
  const unknown = encoder.encode({ main: ['zzyzx'], rest: [] }, 'goal');
  expect(unknown.every(Number.isFinite)).toBe(true);
  const hash = createHash('sha256').update(new Uint8Array(known.buffer)).digest('hex');
  expect(hash.slice(0, 16)).toBe('8fb03cfab7d5fb3e');
});

test('premises that helped with a similar goal come from the cache', async () => {
  const query = { text: 'theorem t (n : Nat) : n.gcd 0 = n', symbols: ['Nat.gcd'] };
  const other = {
    text: 'theorem u (xs : List Nat) : xs.reverse.length = xs.length',
    symbols: ['List.reverse'],
  };
  const row = { goalHash: 'g', fingerprint: 'p', premises: [], ...encoded(query) };
  const cached = [
    { ...row, helped: ['Nat.gcd_zero_right'] },
    { ...row, ...encoded(other), helped: ['List.length_reverse'] },
    { ...row, encoder: 'older', helped: ['Nat.lcm_zero'] },
  ];
  const asked = { ...query, text: 'theorem t (m : Nat) : m = m.gcd 0' };
  const found = await cachedByMeaning(cached).rank(asked, 5);
  expect(found.map(({ name }) => name)).toEqual(['Nat.gcd_zero_right']);
});

test('the vectors of a project’s modules are stored, and computed again only for changed modules', async () => {
  const folder = temporaryFolder();
  const dvd = theorem('Sums.dvd_add', 'Sums.Dvd', 'Nat', 'Dvd.dvd', 'HAdd.hAdd');
  const length = theorem('Sums.length_append', 'Sums.List', 'List', 'List.length', 'HAppend.hAppend', 'Eq');
  const stored = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.vectors'));
  const first = async (...premises: Premise[]): Promise<string | undefined> => {
    const project = await openShards(folder, premises);
    onTestFinished(() => project.close());
    const retriever = await projectByMeaning(project);
    const query = { text: 'theorem t (a b c : Nat) : a ∣ b → a ∣ c → a ∣ b + c', symbols: ['Dvd.dvd'] };
    const [found] = await retriever.rank(query, 5);
    return found?.name;
  };
  expect(await first(dvd, length)).toBe('Sums.dvd_add');
  const before = stored();
  expect(before).toHaveLength(2);
  const reverse = theorem('Sums.length_reverse', 'Sums.List', 'List', 'List.reverse', 'List.length', 'Eq');
  expect(await first(dvd, length, reverse)).toBe('Sums.dvd_add');
  const after = stored();
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after).toHaveLength(3);
});
