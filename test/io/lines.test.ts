import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoints } from '../helpers/code-points.ts';
import { LineSplitter, type Line } from '../../src/io/lines.ts';

function split(bytes: Buffer, cuts: readonly number[], limit?: number): Line[] {
  const splitter = new LineSplitter(limit);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.flatMap((start, index) => {
    // a copy that is overwritten afterwards: a stream may use its buffer again
    const chunk = Buffer.from(bytes.subarray(start, places[index + 1] ?? start));
    const lines = [...splitter.push(chunk)];
    chunk.fill(0);
    return lines;
  });
}

const texts = fc.array(anyCodePoints().map((text) => text.replaceAll('\n', '')));
const cuts = fc.array(fc.nat());

describe('LineSplitter', () => {
  test('finds the lines wherever the stream was split, even inside a character', () => {
    fc.assert(
      fc.property(texts, cuts, (lines, places) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        expect(split(bytes, places)).toEqual(
          lines.map((line) => ({ kind: 'line', text: Buffer.from(line).toString() })),
        );
      }),
    );
  });

  test('reports a line over the limit once, and loses nothing around it', () => {
    fc.assert(
      fc.property(texts, cuts, fc.integer({ min: 1, max: 40 }), (lines, places, limit) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        expect(split(bytes, places, limit).map(({ kind }) => kind)).toEqual(
          lines.map((line) => (Buffer.byteLength(line) > limit ? 'too-long' : 'line')),
        );
      }),
    );
  });

  test('keeps the end of the text until its newline arrives', () => {
    const splitter = new LineSplitter();
    expect([...splitter.push(Buffer.from('begun'))]).toEqual([]);
    expect([...splitter.push(Buffer.from(' and ended\nnext'))]).toEqual([
      { kind: 'line', text: 'begun and ended' },
    ]);
  });

  test('buffers at most the limit of a line that never ends', () => {
    const splitter = new LineSplitter(1000);
    const chunk = Buffer.alloc(1 << 20, 'x');
    for (let round = 0; round < 200; round++) expect([...splitter.push(chunk)]).toEqual([]);
    expect([...splitter.push(Buffer.from('\nafter\n'))]).toEqual([
      { kind: 'too-long' },
      { kind: 'line', text: 'after' },
    ]);
  });
});
