import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelNamed } from '../../../src/models/choose.ts';
import { beamSearch, type Beam } from '../../../src/models/onnx/beam-search.ts';
import { textOf, tokensOf } from '../../../src/models/onnx/byte-tokens.ts';
import { Seq2Seq } from '../../../src/models/onnx/seq2seq.ts';
import { valueOrThrow } from '../../../src/core/result.ts';
import { weightsIn } from '../../../src/models/onnx/weights.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { everySequence, heard, likely, logProbabilities, writeTinyModel } from './tiny-model.ts';

const request = { prompt: '⊢ a', samples: 3, temperature: 0, maxTokens: 4 };

function tinyFolder(): string {
  const folder = temporaryFolder();
  writeTinyModel(folder);
  return folder;
}

/** The same sequences with the same scores; of those that are equally likely, any may come first. */
function expectSame(found: readonly Beam[], every: readonly Beam[], digits: number): void {
  const [known, wanted] = [scores(found), scores(every)];
  expect([...known.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [key, score] of wanted) expect(known.get(key)).toBeCloseTo(score, digits);
}

function scores(beams: readonly Beam[]): Map<string, number> {
  return new Map(beams.map(({ tokens, isCut, score }) => [`${tokens.join(' ')} ${isCut}`, score]));
}

describe('tokens', () => {
  test('are the bytes of a text plus three, and an end token', () => {
    // as google/byt5-small's tokenizer gives them
    expect(tokensOf('a ⊢', 100)).toEqual([100, 35, 229, 141, 165, 1]);
    expect(textOf([100, 35, 229, 141, 165, 1, 0, 0, 383])).toBe('a ⊢');
    expect(tokensOf('', 100)).toEqual([1]);
  });

  test('a text that is too long loses its beginning', () => {
    expect(textOf(tokensOf('abcdef', 4))).toBe('def');
  });
});

describe('beam search', () => {
  const input = tokensOf('⊢ a', 100);
  const next = async (beginnings: readonly (readonly number[])[]) =>
    beginnings.map((beginning) => {
      const known = logProbabilities(input, beginning);
      return Array.from({ length: 384 }, (_, token) => known.get(token) ?? -40);
    });
  const options = { maxTokens: 4, start: 0, end: 1 };

  test('with enough beams finds the most likely sequence', async () => {
    const found = await beamSearch(next, { ...options, beams: 200 });
    const every = everySequence(input, 4);
    expect(every.length).toBeGreaterThan(100);
    expect(found[0]?.score).toBeCloseTo(every[0]?.score ?? 0, 5);
    expectSame(found.slice(0, every.length), every, 5);
  });

  test('with one beam takes the most likely token each time', async () => {
    const greedy: number[] = [];
    for (let known = 0; known < 4; known++) {
      const [[token] = [1]] = [...logProbabilities(input, [0, ...greedy])].sort(
        (one, two) => two[1] - one[1],
      );
      if (token === 1) break;
      greedy.push(token);
    }
    const [found] = await beamSearch(next, { ...options, beams: 1 });
    expect(found?.tokens).toEqual(greedy);
  });
});

describe('weights', () => {
  test('give the same results in WebAssembly as in plain code', async () => {
    const model = await Seq2Seq.load(valueOrThrow(weightsIn(tinyFolder())));
    const input = tokensOf('⊢ a', 100);
    const { read, written } = await model.write('⊢ a', 200, 4);
    expect(read).toBe(input.length);
    const every = everySequence(input, 4);
    const found = written.map(({ text, score, isCut }) => ({
      tokens: tokensOf(text, 9).slice(0, -1),
      score,
      isCut,
    }));
    expectSame(found.slice(0, every.length), every, 4);
    const mean = heard(input);
    const { vector } = await model.vector('⊢ a');
    for (const [index, one] of vector.entries())
      expect(one).toBeCloseTo((mean[index] ?? 0) / Math.hypot(...mean), 5);
  });

  test('work like any other model, in a thread that can be stopped', async () => {
    const folder = tinyFolder();
    const model = modelNamed(`onnx:${folder}`, {});
    const answer = await model.generate(request);
    const best = everySequence(tokensOf('⊢ a', 100), 4).slice(0, 1);
    expect(answer).toMatchObject({
      ok: true,
      value: {
        samples: [{ text: textOf(best[0]?.tokens ?? []) }, {}, {}],
        usage: { inputTokens: 6 },
      },
    });
    const stop = new AbortController();
    const cancelled = model.generate({ ...request, maxTokens: 100_000 }, stop.signal);
    stop.abort();
    expect(await cancelled).toMatchObject({ error: { kind: 'cancelled' } });
    expect(await model.embed(['⊢ a', 'b'])).toMatchObject({ ok: true, value: { vectors: [{}, {}] } });
    expect(likely).toHaveLength(4);
  });

  test('report missing or broken files clearly', async () => {
    expect(() => modelNamed('onnx:/nowhere', {})).toThrow(/no folder/);
    const folder = tinyFolder();
    rmSync(path.join(folder, 'decoder_model.onnx'));
    const encoder = modelNamed(`onnx:${folder}`, {});
    expect(await encoder.generate(request)).toMatchObject({
      error: { kind: 'failed', message: expect.stringMatching(/only turns texts into vectors/) },
    });
    writeFileSync(path.join(folder, 'encoder_model.onnx'), 'no protobuf');
    const broken = modelNamed(`onnx:${folder}`, {});
    expect(await broken.embed(['a'])).toMatchObject({ error: { kind: 'failed' } });
    rmSync(path.join(folder, 'encoder_model.onnx'));
    expect(() => modelNamed(`onnx:${folder}`, {})).toThrow(/no encoder_model.onnx/);
  });
});
