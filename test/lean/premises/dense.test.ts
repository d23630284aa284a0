import { cancelled } from '../../../src/models/model.ts';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Premise } from '../../../src/store/premises/premise.ts';
import { denseSeat, makeVectors } from '../../../src/lean/premises/dense.ts';
import type { Library } from '../../../src/lean/premises/retrieve.ts';
import { modelNamed } from '../../../src/models/choose.ts';
import { tokensOf } from '../../../src/models/onnx/byte-tokens.ts';
import { openPremises } from '../../../src/store/premises/premises.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { heard, writeTinyModel } from '../../models/onnx/tiny-model.ts';

const premises = Array.from({ length: 150 }, (_, index): Premise => ({
  name: `Nat.fact_${index}`,
  kind: 'theorem',
  module: 'Init',
  symbols: ['Nat', `s${(index * 7) % 11}`],
}));

async function library(): Promise<Library> {
  const folder = temporaryFolder();
  const index = await openPremises(path.join(folder, 'all.db'), async function* pages() {
    yield premises;
  });
  return { name: 'all', folder, index };
}

const cosine = (first: readonly number[], second: readonly number[]): number =>
  first.reduce((sum, one, index) => sum + one * (second[index] ?? 0), 0) /
  (Math.hypot(...first) * Math.hypot(...second));

test('premises are found by encoder vectors once these exist', async () => {
  const folder = temporaryFolder();
  writeTinyModel(folder);
  const encoder = modelNamed(`onnx:${folder}`, {});
  const all = await library();
  const seat = denseSeat(encoder);
  expect(await seat(all)).toBeUndefined();

  const told: number[] = [];
  expect(await makeVectors(all, encoder, (done) => told.push(done))).toBe(premises.length);
  expect(told).toEqual([64, 128, 150]);
  const retriever = await seat(all);
  const text = 'theorem t (n : Nat) : fact n';
  const found = (await retriever?.rank({ text, symbols: [] }, 20)) ?? [];
  retriever?.close?.();

  // the same by hand, without encoder, file or index
  const asked = heard(tokensOf(text, 2048));
  const scores = premises.map(({ name, symbols }) => ({
    name,
    score: cosine(asked, heard(tokensOf(`${name} : ${symbols.join(' ')}`, 2048))),
  }));
  const best = scores.toSorted((one, two) => two.score - one.score).slice(0, 20);
  expect(found).toHaveLength(20);
  for (const [place, { name, score }] of found.entries()) {
    expect(score).toBeCloseTo(best[place]?.score ?? 0, 4);
    expect(scores.find((one) => one.name === name)?.score).toBeCloseTo(score, 4);
  }
  all.index.close();
});

test('an encoder that does not respond adds nothing and leaves no partial file', async () => {
  const all = await library();
  const silent = { name: 'none', embed: async () => cancelled };
  await expect(makeVectors(all, silent, () => {})).rejects.toThrow(/makes no vectors/);
  expect(await denseSeat(silent)(all)).toBeUndefined();
  all.index.close();
});
