import { definite } from '../../../core/errors.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { maxSide } from '../../grid/grid.ts';
import { beyond, cellCount } from './encode.ts';

/** The card next to the weights: the layers in the order of the file, and what the outputs mean. */
const cardSchema = z.object({
  kind: z.literal('arc-recogniser'),
  version: z.literal(1),
  sha256: z.string(),
  layers: z.array(z.object({ name: z.string(), shape: z.array(z.int()) })),
  labels: z.array(z.string()),
  /** The log-odds of each label where nothing is known about the task. */
  base: z.array(z.number()),
});

/** The cells of one training pair, as `tokensOf` gives them. */
export interface SeenPair {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
}

/** `weights[i · outputs + o]`: what input i adds to output o. For a convolution i counts places of the kernel, then channels. */
interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly kernel: number;
  readonly bias: Float64Array;
  readonly weights: Float64Array;
}

/** Number of channels for a cell of the input, as many for the output, and one for cells of equal colour. */
const tokenCount = beyond + 1;

/**
 * A small convolutional network, run in plain numbers in a fixed order: every machine gives the same answers. It looks at each
 * pair alone, pools what it sees over the grid and then over the pairs.
 */
export class Network {
  readonly labels: readonly string[];
  readonly base: readonly number[];
  readonly #convolutions: readonly Layer[];
  readonly #ofPair: Layer;
  readonly #ofTask: Layer;
  readonly #answer: Layer;

  /** The folder holds `card.json` and `weights.bin`; weights that are not those of the card are refused. */
  constructor(folder: URL) {
    const card = cardSchema.parse(JSON.parse(readFileSync(new URL('card.json', folder), 'utf8')));
    const bytes = readFileSync(new URL('weights.bin', folder));
    if (createHash('sha256').update(bytes).digest('hex') !== card.sha256)
      throw new Error(`${folder.pathname}weights.bin does not belong to the card beside it`);
    let offset = 0;
    const layers = new Map<string, Layer>();
    for (const { name, shape } of card.layers) {
      layers.set(name, layerFrom(bytes, offset, shape));
      offset += (shape[0] ?? 0) * 8 + shape.reduce((product, side) => product * side, 1);
    }
    this.labels = card.labels;
    this.base = card.base;
    this.#convolutions = [0, 1, 2, 3].map((n) => definite(layers.get(`convolution-${n}`)));
    this.#ofPair = definite(layers.get('of_pair'));
    this.#ofTask = definite(layers.get('of_task'));
    this.#answer = definite(layers.get('answer'));
  }

  /** The log-odds of every label. */
  logits(pairs: readonly SeenPair[]): Float64Array {
    const seen = pairs.map((pair) => positive(dense(this.#ofPair, this.#look(pair))));
    const width = this.#ofPair.outputs;
    const pooled = new Float64Array(2 * width);
    for (const one of seen)
      for (let i = 0; i < width; i++) {
        const value = one[i] ?? 0;
        pooled[i] = (pooled[i] ?? 0) + value / seen.length;
        pooled[width + i] = Math.max(pooled[width + i] ?? 0, value);
      }
    return dense(this.#answer, positive(dense(this.#ofTask, pooled)));
  }

  /** Mean and maximum of every channel of every layer. */
  #look(pair: SeenPair): Float64Array {
    const maps = this.#maps(pair, extentOf(pair), this.#ofNothing());
    return Float64Array.from(
      maps.flatMap((cells, n) => [...pool(cells, definite(this.#convolutions[n]).outputs)]),
    );
  }

  #nothing: readonly Float64Array[] | undefined;

  /** What the layers give for a pair without cells: beyond the grids every pair looks like that, so it is worked out once. */
  #ofNothing(): readonly Float64Array[] {
    const empty = new Uint8Array(cellCount).fill(beyond);
    const whole = { wide: maxSide, high: maxSide };
    return (this.#nothing ??= this.#maps({ input: empty, output: empty }, whole, null));
  }

  /** What every layer gives; outside of what the grids reach it is taken from `nothing`. */
  #maps(pair: SeenPair, extent: Extent, nothing: readonly Float64Array[] | null): Float64Array[] {
    let side = maxSide;
    let reached = extent;
    const maps: Float64Array[] = [];
    for (const [n, layer] of this.#convolutions.entries()) {
      const next = n === 0 ? side : (side + 1) >> 1;
      const sums = nothing?.[n]?.slice() ?? new Float64Array(next * next * layer.outputs);
      reached = n === 0 ? widened(reached, layer.kernel >> 1) : halved(reached, next);
      if (n === 0) firstLook(layer, pair, reached, sums);
      else convolve(layer, definite(maps[n - 1]), side, reached, sums);
      maps.push(sums);
      side = next;
    }
    return maps;
  }
}

/** The top left part of a map that depends on the grids. */
interface Extent {
  readonly wide: number;
  readonly high: number;
}

function extentOf({ input, output }: SeenPair): Extent {
  let [wide, high] = [0, 0];
  for (let cell = 0; cell < cellCount; cell++)
    if (input[cell] !== beyond || output[cell] !== beyond) {
      wide = Math.max(wide, (cell % maxSide) + 1);
      high = Math.max(high, Math.floor(cell / maxSide) + 1);
    }
  return { wide, high };
}

function widened({ wide, high }: Extent, by: number): Extent {
  return { wide: Math.min(maxSide, wide + by), high: Math.min(maxSide, high + by) };
}

/** In steps of two with a reach of one, place x looks at 2x − 1 to 2x + 1. */
function halved({ wide, high }: Extent, side: number): Extent {
  return { wide: Math.min(side, (wide >> 1) + 1), high: Math.min(side, (high >> 1) + 1) };
}

/** A layer of the file: scales and biases of its outputs as 32-bit floats, then rows of 8-bit weights, one an output. */
function layerFrom(bytes: Buffer, offset: number, shape: readonly number[]): Layer {
  const [outputs, channels] = [definite(shape[0]), definite(shape[1])];
  const kernel = shape[2] ?? 1;
  const inputs = channels * kernel * kernel;
  const bias = new Float64Array(outputs);
  const weights = new Float64Array(inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    const scale = bytes.readFloatLE(offset + o * 4);
    bias[o] = bytes.readFloatLE(offset + (outputs + o) * 4);
    const row = offset + outputs * 8 + o * inputs;
    for (let c = 0; c < channels; c++)
      for (let k = 0; k < kernel * kernel; k++)
        weights[(k * channels + c) * outputs + o] = bytes.readInt8(row + c * kernel * kernel + k) * scale;
  }
  return { inputs, outputs, kernel, bias, weights };
}

function positive(values: Float64Array, from = 0, count = values.length): Float64Array {
  for (let i = from; i < from + count; i++) if ((values[i] ?? 0) < 0) values[i] = 0;
  return values;
}

function dense(layer: Layer, values: Float64Array): Float64Array {
  const sums = Float64Array.from(layer.bias);
  for (let i = 0; i < layer.inputs; i++) addScaled(sums, 0, layer, i, values[i] ?? 0);
  return sums;
}

/** Four at a time: this loop is nearly all of the work. */
function addScaled(
  sums: Float64Array,
  at: number,
  { outputs, weights }: Layer,
  row: number,
  by: number,
): void {
  if (by === 0) return;
  const end = at + outputs;
  let from = row * outputs;
  let to = at;
  for (; to + 3 < end; to += 4, from += 4) {
    sums[to] = (sums[to] ?? 0) + by * (weights[from] ?? 0);
    sums[to + 1] = (sums[to + 1] ?? 0) + by * (weights[from + 1] ?? 0);
    sums[to + 2] = (sums[to + 2] ?? 0) + by * (weights[from + 2] ?? 0);
    sums[to + 3] = (sums[to + 3] ?? 0) + by * (weights[from + 3] ?? 0);
  }
  for (; to < end; to++, from++) sums[to] = (sums[to] ?? 0) + by * (weights[from] ?? 0);
}

/** The first convolution: each cell has two or three channels that are one, all others are nought. */
function firstLook(
  layer: Layer,
  { input, output }: SeenPair,
  { wide, high }: Extent,
  sums: Float64Array,
): void {
  const { outputs, bias, kernel } = layer;
  const channels = layer.inputs / (kernel * kernel);
  const reach = kernel >> 1;
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = (y * maxSide + x) * outputs;
      sums.set(bias, at);
      for (let ky = Math.max(0, reach - y); ky < Math.min(kernel, maxSide + reach - y); ky++)
        for (let kx = Math.max(0, reach - x); kx < Math.min(kernel, maxSide + reach - x); kx++) {
          const cell = (y + ky - reach) * maxSide + x + kx - reach;
          const row = (ky * kernel + kx) * channels;
          const [before, after] = [input[cell] ?? 0, output[cell] ?? 0];
          addScaled(sums, at, layer, row + before, 1);
          addScaled(sums, at, layer, row + tokenCount + after, 1);
          if (before === after && before !== beyond) addScaled(sums, at, layer, row + 2 * tokenCount, 1);
        }
      positive(sums, at, outputs);
    }
}

/** A convolution in steps of two over cells that have all their channels side by side. */
function convolve(
  layer: Layer,
  cells: Float64Array,
  side: number,
  { wide, high }: Extent,
  sums: Float64Array,
): void {
  const { outputs, bias, kernel } = layer;
  const channels = layer.inputs / (kernel * kernel);
  const reach = kernel >> 1;
  const next = (side + 1) >> 1;
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const at = (y * next + x) * outputs;
      sums.set(bias, at);
      for (let ky = Math.max(0, reach - 2 * y); ky < Math.min(kernel, side + reach - 2 * y); ky++)
        for (let kx = Math.max(0, reach - 2 * x); kx < Math.min(kernel, side + reach - 2 * x); kx++) {
          const from = ((2 * y + ky - reach) * side + 2 * x + kx - reach) * channels;
          const row = (ky * kernel + kx) * channels;
          for (let c = 0; c < channels; c++) addScaled(sums, at, layer, row + c, cells[from + c] ?? 0);
        }
      positive(sums, at, outputs);
    }
}

/** The mean of every channel, then the largest value of every channel. */
function pool(cells: Float64Array, channels: number): Float64Array {
  const pooled = new Float64Array(2 * channels);
  const count = cells.length / channels;
  for (let cell = 0; cell < count; cell++)
    for (let c = 0; c < channels; c++) {
      const value = cells[cell * channels + c] ?? 0;
      pooled[c] = (pooled[c] ?? 0) + value;
      pooled[channels + c] = Math.max(pooled[channels + c] ?? 0, value);
    }
  for (let c = 0; c < channels; c++) pooled[c] = (pooled[c] ?? 0) / count;
  return pooled;
}
