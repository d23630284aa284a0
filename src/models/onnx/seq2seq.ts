import { itemAt } from '../../core/item-at.ts';
import { beamSearch, type Beam } from './beam-search.ts';
import { endToken, textOf, tokensOf } from './byte-tokens.ts';
import { onnxRuntime, type Runtime } from './runtime.ts';
import type { ModelFiles } from './weights.ts';

/** ReProver was trained on inputs of this length. */
const mostInput = 2048;

export interface WrittenTokens {
  readonly text: string;
  readonly score: number;
  readonly isCut: boolean;
  readonly tokens: number;
}

/** An encoder and a decoder over bytes, as in ByT5. It runs in the calling thread. */
export class Seq2Seq {
  readonly #runtime: typeof Runtime;
  readonly #encoder: Runtime.InferenceSession;
  readonly #decoder: Runtime.InferenceSession | undefined;
  readonly #start: number;

  private constructor(
    runtime: typeof Runtime,
    encoder: Runtime.InferenceSession,
    decoder: Runtime.InferenceSession | undefined,
    start: number,
  ) {
    this.#runtime = runtime;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#start = start;
  }

  static async load({ encoder, decoder, start }: ModelFiles): Promise<Seq2Seq> {
    const runtime = await onnxRuntime();
    const open = async (file: string): Promise<Runtime.InferenceSession> =>
      await runtime.InferenceSession.create(file, { executionProviders: ['wasm'] });
    return new Seq2Seq(
      runtime,
      await open(encoder),
      decoder === undefined ? undefined : await open(decoder),
      start,
    );
  }

  /** The most likely answers to a text, best first. */
  async write(
    text: string,
    samples: number,
    maxTokens: number,
  ): Promise<{ read: number; written: WrittenTokens[] }> {
    const decoder = this.#decoder;
    if (!decoder) throw new Error('the folder has no decoder_model.onnx: it only turns texts into vectors');
    const input = tokensOf(text, mostInput);
    const state = await this.#encode(input);
    const beams = await beamSearch(async (beginnings) => await this.#scores(decoder, state, beginnings), {
      beams: samples,
      maxTokens,
      start: this.#start,
      end: endToken,
    });
    return { read: input.length, written: beams.map(writtenAs) };
  }

  /** A vector of length 1: the mean of the encoder's outputs for all bytes. */
  async vector(text: string): Promise<{ read: number; vector: number[] }> {
    const input = tokensOf(text, mostInput);
    const { data, dims } = await this.#encode(input);
    const [length = 0, width = 0] = dims.slice(1);
    const sum = Array.from({ length: width }, (_, column) => {
      let total = 0;
      for (let row = 0; row < length; row++) total += itemAt(data, row * width + column);
      return total;
    });
    const norm = Math.hypot(...sum) || 1;
    return { read: input.length, vector: sum.map((one) => one / norm) };
  }

  async #encode(tokens: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }> {
    const shape = [1, tokens.length];
    const output = await this.#encoder.run({
      input_ids: this.#numbers(tokens, shape),
      attention_mask: this.#numbers(
        tokens.map(() => 1),
        shape,
      ),
    });
    return floatsOf(output, 'last_hidden_state');
  }

  /** The scores of the next token after each prefix. */
  async #scores(
    decoder: Runtime.InferenceSession,
    { data, dims }: { readonly data: Float32Array; readonly dims: readonly number[] },
    beginnings: readonly (readonly number[])[],
  ): Promise<Float32Array[]> {
    const [, length = 0, width = 0] = dims;
    const count = beginnings.length;
    const states = new Float32Array(count * data.length);
    for (let index = 0; index < count; index++) states.set(data, index * data.length);
    const known = beginnings[0]?.length ?? 0;
    const output = await decoder.run({
      input_ids: this.#numbers(beginnings.flat(), [count, known]),
      encoder_hidden_states: new this.#runtime.Tensor('float32', states, [count, length, width]),
      encoder_attention_mask: this.#numbers(Array<number>(count * length).fill(1), [count, length]),
    });
    const logits = floatsOf(output, 'logits');
    const vocabulary = logits.dims[2] ?? 0;
    return beginnings.map((_, index) => {
      const from = ((index + 1) * known - 1) * vocabulary;
      return logits.data.subarray(from, from + vocabulary);
    });
  }

  #numbers(values: readonly number[], shape: readonly number[]): Runtime.Tensor {
    return new this.#runtime.Tensor('int64', BigInt64Array.from(values, BigInt), shape);
  }
}

function floatsOf(
  output: Runtime.InferenceSession.OnnxValueMapType,
  name: string,
): { data: Float32Array; dims: readonly number[] } {
  const value = output[name];
  if (!value || !('data' in value) || !(value.data instanceof Float32Array))
    throw new Error(`the model has no output ${name} of 32-bit floats`);
  return { data: value.data, dims: value.dims };
}

function writtenAs({ tokens, score, isCut }: Beam): WrittenTokens {
  return { text: textOf(tokens), score, isCut, tokens: tokens.length + 1 };
}
