import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Premise, PremiseIndex } from '../../../src/store/premises/premise.ts';
import { openShards } from '../../../src/store/premises/shards.ts';
import { openPremises } from '../../../src/store/premises/premises.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const premise = (name: string, ...symbols: string[]): Premise => ({
  name,
  kind: 'theorem',
  module: 'M',
  symbols,
});

const all = [
  premise('List.reverse_append', 'Eq', 'List', 'List.reverse', 'HAppend.hAppend'),
  premise('List.length_append', 'Eq', 'List', 'Nat', 'List.length', 'HAppend.hAppend'),
  premise('Nat.dvd_add', 'Nat', 'Dvd.dvd', 'HAdd.hAdd'),
  premise('Nat.add_comm', 'Eq', 'Nat', 'HAdd.hAdd'),
  premise('natAbs_mul', 'Eq', 'Nat', 'Int', 'HMul.hMul', 'Int.natAbs'),
];

async function* pages(): AsyncGenerator<Premise[]> {
  yield all.slice(0, 2);
  yield all.slice(2);
  yield all.slice(0, 1); // seen twice
}

async function* broken(): AsyncGenerator<Premise[]> {
  yield all;
  throw new Error('Lean died');
}

async function open(file = path.join(temporaryFolder(), 'premises.db')): Promise<PremiseIndex> {
  const index = await openPremises(file, pages);
  onTestFinished(() => index.close());
  return index;
}

const names = (found: readonly { name: string }[]): string[] => found.map(({ name }) => name);

test('the closest premises share rare symbols with the goal and have few others', async () => {
  const index = await open();
  expect(index.size).toBe(5);
  expect(names(index.bySymbols(['Eq', 'List', 'List.reverse', 'HAppend.hAppend'], 2))[0]).toBe(
    'List.reverse_append',
  );
  expect(names(index.bySymbols(['Nat', 'Dvd.dvd', 'HAdd.hAdd'], 1))).toEqual(['Nat.dvd_add']);
  expect(index.bySymbols(['unknown'], 5)).toEqual([]);
});

test('names by how they begin, the shortest first', async () => {
  const index = await open();
  expect(index.beginningWith('List.', 1)).toEqual(['List.length_append']);
  expect(index.beginningWith('Nat.', 9)).toEqual(['Nat.dvd_add', 'Nat.add_comm']);
  expect(index.beginningWith('', 9)).toHaveLength(5);
  expect(index.beginningWith('%', 9)).toEqual([]);
});

test('words match parts of names', async () => {
  const index = await open();
  expect(names(index.byWords('the abs of a product: mul', 1))).toEqual(['natAbs_mul']);
  expect(index.byWords('"quoted* AND (odd', 3)).toEqual([]);
  expect(index.byWords('', 3)).toEqual([]);
  expect(index.find(['Nat.add_comm'])).toEqual([all[3]]);
  expect(names([...index.all()]).sort()).toEqual(names(all).sort());
});

test('a failed index leaves no file, and an existing one is not rebuilt', async () => {
  const file = path.join(temporaryFolder(), 'premises.db');
  await expect(openPremises(file, broken)).rejects.toThrow('Lean died');
  expect(existsSync(file)).toBe(false);
  await open(file);
  (await openPremises(file, broken)).close();
});

test('a project has one shard per module: unchanged ones are kept, and all are searched together', async () => {
  const folder = temporaryFolder();
  const [first, second, third] = all
    .slice(0, 3)
    .map((one, index) => ({ ...one, module: index < 2 ? 'A' : 'B' }));
  if (!first || !second || !third) throw new Error('three premises');
  const before = await openShards(folder, [first, second, third]);
  onTestFinished(() => before.close());
  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  expect(before.size).toBe(3);
  expect(names(before.bySymbols(['Nat', 'Dvd.dvd', 'HAdd.hAdd'], 1))).toEqual(['Nat.dvd_add']);
  expect(names(before.byWords('reverse', 1))).toEqual(['List.reverse_append']);
  const after = await openShards(folder, [first, third]);
  onTestFinished(() => after.close());
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files));
  expect(readdirSync(folder)).toHaveLength(3);
  expect(names(after.find(names(all))).sort()).toEqual(names([first, third]).sort());
});

test('a name is found by its end, at a dot', async () => {
  const index = await open();
  expect(index.endingWith('dvd_add', 5)).toEqual(['Nat.dvd_add']);
  expect(index.endingWith('Nat.dvd_add', 5)).toEqual(['Nat.dvd_add']);
  expect(index.endingWith('add', 5)).toEqual([]);
});

test('a project with many modules keeps all of their shards', async () => {
  const folder = temporaryFolder();
  const many = Array.from({ length: 450 }, (_, at) => ({ ...premise(`M${at}.t`, 'Nat'), module: `M${at}` }));
  for (const _ of ['first', 'second']) (await openShards(folder, many)).close();
  expect(readdirSync(folder)).toHaveLength(450);
});

test('the shortest name of equal theorems is kept; definitions of the same type are kept separately', async () => {
  const same = { module: 'M', symbols: ['Eq', 'Nat'], shape: '17' };
  const index = await openPremises(path.join(temporaryFolder(), 'premises.db'), async function* () {
    yield ['Nat.twice_eq', 'Nat.two', 'Nat.aliased'].map((name) => ({ ...same, name, kind: 'theorem' }));
    yield [{ ...same, name: 'Nat.other', kind: 'theorem', shape: '18' }];
    yield ['Nat.f', 'Nat.g'].map((name) => ({ ...same, name, kind: 'definition' }));
  });
  onTestFinished(() => index.close());
  expect(names([...index.all()]).sort()).toEqual(['Nat.f', 'Nat.g', 'Nat.other', 'Nat.two']);
});
