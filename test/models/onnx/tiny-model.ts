import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SeededRandom } from '../../helpers/random.ts';
import { constant, input as graphInput, integer, integers, node, onnxFile, output } from './onnx-file.ts';

/** As many as ByT5 has. */
const vocabulary = 384;
const width = 4;
/** The end, and the bytes of `a`, `b` and `c`: all else is as good as impossible. */
export const likely = [1, 100, 101, 102];

const random = new SeededRandom(7);
const table = (length: number): number[] => Array.from({ length }, () => Math.fround(2 * random.next() - 1));
const read = table(vocabulary * width);
const written = table(vocabulary * width);
const weights = table(width * vocabulary);
const bias = Array.from({ length: vocabulary }, (_, token) => (likely.includes(token) ? 0 : -40));

/**
 * A folder with an encoder (a row of a table for each token) and a decoder (the row of the last token, plus the mean of what the
 * encoder said, times a matrix): small enough to be computed by hand.
 */
export function writeTinyModel(folder: string): void {
  const batch = ['batch', 'length'];
  const encoder = onnxFile(
    constant('read', [vocabulary, width], read),
    node('Gather', ['read', 'input_ids'], 'last_hidden_state', integer('axis', 0)),
    graphInput('input_ids', 'int64', batch),
    graphInput('attention_mask', 'int64', batch),
    output('last_hidden_state', 'float32', [...batch, 'width']),
  );
  const decoder = onnxFile(
    constant('written', [vocabulary, width], written),
    constant('weights', [width, vocabulary], weights),
    constant('bias', [vocabulary], bias),
    node('Gather', ['written', 'input_ids'], 'said', integer('axis', 0)),
    node('ReduceMean', ['encoder_hidden_states'], 'heard', integers('axes', [1])),
    node('Add', ['said', 'heard'], 'state'),
    node('MatMul', ['state', 'weights'], 'scores'),
    node('Add', ['scores', 'bias'], 'logits'),
    graphInput('input_ids', 'int64', ['batch', 'known']),
    graphInput('encoder_hidden_states', 'float32', [...batch, 'width']),
    graphInput('encoder_attention_mask', 'int64', batch),
    output('logits', 'float32', ['batch', 'known', 'vocabulary']),
  );
  writeFileSync(path.join(folder, 'encoder_model.onnx'), encoder);
  writeFileSync(path.join(folder, 'decoder_model.onnx'), decoder);
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ decoder_start_token_id: 0 }));
}

const row = (of: readonly number[], token: number): number[] => of.slice(token * width, (token + 1) * width);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The mean of what the encoder says to some tokens, computed without any of the code under test. */
export function heard(tokens: readonly number[]): number[] {
  return Array.from(
    { length: width },
    (_, column) => sum(tokens.map((token) => row(read, token)[column] ?? 0)) / tokens.length,
  );
}

/** The logarithms of the probabilities of the likely tokens behind a beginning. */
export function logProbabilities(
  input: readonly number[],
  beginning: readonly number[],
): Map<number, number> {
  const state = heard(input).map((one, column) => one + (row(written, beginning.at(-1) ?? 0)[column] ?? 0));
  const scores = likely.map((token) =>
    sum(state.map((one, column) => one * (weights[column * vocabulary + token] ?? 0))),
  );
  const norm = Math.log(sum(scores.map(Math.exp)));
  return new Map(likely.map((token, index) => [token, (scores[index] ?? 0) - norm]));
}

/** Every sequence of at most this many tokens, with its probability: all of them, without a search. */
export function everySequence(
  tokens: readonly number[],
  most: number,
): { tokens: number[]; score: number; isCut: boolean }[] {
  const grow = (known: number[], score: number): ReturnType<typeof everySequence> => {
    if (known.length === most) return [{ tokens: known, score, isCut: true }];
    return [...logProbabilities(tokens, [0, ...known])].flatMap(([token, more]) =>
      token === 1
        ? [{ tokens: known, score: score + more, isCut: false }]
        : grow([...known, token], score + more),
    );
  };
  return grow([], 0).sort((first, second) => second.score - first.score);
}
