import type { WordBags } from './features.ts';

type Side = 'goal' | 'premise';

/** A matrix of 8-bit numbers; each row has a scale. */
interface Matrix {
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly columns: number;
}

/** The same in column order, as needed for a product with a vector. */
interface Columns {
  readonly values: Float64Array;
  readonly scales: Float32Array;
}

/** How one side transforms the sum of its word vectors: one weight per bag, plus a hidden layer in parallel. */
interface Layers {
  readonly share: Float32Array;
  readonly first: Columns;
  readonly firstBias: Float32Array;
  readonly second: Columns;
  readonly secondBias: Float32Array;
}

interface Part {
  readonly name: string;
  readonly kind: 'int8' | 'float32';
  readonly shape: readonly number[];
  readonly at: number;
}

/**
 * Turns goals and premises into vectors whose inner product says how likely a proof of the goal uses the premise. Only sums, products
 * and square roots in a fixed order: every machine computes the same bytes. `policy/premise-encoder` has the training.
 */
export class PremiseEncoder {
  readonly width: number;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #rows: Matrix;
  readonly #layers: Readonly<Record<Side, Layers>>;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const headerLength = view.getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength))) as {
      words: string[];
      layout: Part[];
    };
    const start = Math.ceil((4 + headerLength) / 8) * 8;
    const parts = new Map(header.layout.map((part) => [part.name, arrayOf(bytes, start, part)]));
    const floats = (name: string): Float32Array => {
      const found = parts.get(name);
      if (found?.values instanceof Float32Array) return found.values;
      throw new Error(`the weights of the premise encoder lack ${name}`);
    };
    const matrix = (name: string): Matrix => {
      const found = parts.get(name);
      if (!(found?.values instanceof Int8Array))
        throw new Error(`the weights of the premise encoder lack ${name}`);
      return { values: found.values, scales: floats(`${name}.scale`), columns: found.columns };
    };
    const layers = (side: Side): Layers => ({
      share: floats(`${side}.share`),
      first: byColumn(matrix(`${side}.first`)),
      firstBias: floats(`${side}.first.bias`),
      second: byColumn(matrix(`${side}.second`)),
      secondBias: floats(`${side}.second.bias`),
    });
    this.#numbers = new Map(header.words.map((word, index) => [word, index]));
    this.#rows = matrix('rows');
    this.width = this.#rows.columns;
    this.#layers = { goal: layers('goal'), premise: layers('premise') };
  }

  /** The vector of a goal has length one; that of a premise has the length that training gave it. */
  encode(features: WordBags, side: Side): Float64Array {
    const layers = this.#layers[side];
    const sum = new Float64Array(this.width);
    this.#add(sum, features.main, layers.share[0] ?? 0);
    this.#add(sum, features.rest, layers.share[1] ?? 0);
    const hidden = product(layers.first, sum, layers.firstBias).map((value) => Math.max(0, value));
    const correction = product(layers.second, hidden, layers.secondBias);
    const vector = sum.map((value, index) => value + (correction[index] ?? 0));
    if (side === 'premise') return vector;
    const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
    return length === 0 ? vector : vector.map((value) => value / length);
  }

  #add(sum: Float64Array, words: readonly string[], share: number): void {
    const known = words.flatMap((word) => this.#numbers.get(word) ?? []);
    const factor = share / Math.sqrt(Math.max(1, known.length));
    for (const row of known) addRow(sum, this.#rows, row, factor);
  }
}

function addRow(sum: Float64Array, { values, scales, columns }: Matrix, row: number, factor: number): void {
  const scale = (scales[row] ?? 0) * factor;
  const start = row * columns;
  for (let column = 0; column < columns; column++)
    sum[column] = (sum[column] ?? 0) + (values[start + column] ?? 0) * scale;
}

function byColumn({ values, scales, columns }: Matrix): Columns {
  const rows = scales.length;
  const turned = new Float64Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = values[row * columns + column] ?? 0;
  return { values: turned, scales };
}

/** Matrix times vector, plus a bias. Half of a hidden layer's outputs are zero, so those columns are skipped. */
function product({ values, scales }: Columns, vector: Float64Array, bias: Float32Array): Float64Array {
  const rows = scales.length;
  const result = new Float64Array(rows);
  for (let column = 0; column < vector.length; column++) {
    const factor = vector[column] ?? 0;
    if (factor === 0) continue;
    const start = column * rows;
    for (let row = 0; row < rows; row++)
      result[row] = (result[row] ?? 0) + (values[start + row] ?? 0) * factor;
  }
  return result.map((value, row) => value * (scales[row] ?? 0) + (bias[row] ?? 0));
}

function arrayOf(bytes: Uint8Array, start: number, { kind, shape, at }: Part) {
  const count = shape.reduce((total, size) => total * size, 1);
  const from = bytes.byteOffset + start + at;
  const values =
    kind === 'int8'
      ? new Int8Array(bytes.buffer, from, count)
      : new Float32Array(bytes.buffer.slice(from, from + 4 * count));
  return { values, columns: shape[1] ?? 1 };
}
