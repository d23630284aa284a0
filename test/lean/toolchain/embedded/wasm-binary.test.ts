import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  WasmReader,
  readSections,
  section,
  unsigned,
} from '../../../../src/lean/toolchain/embedded/wasm-binary.ts';

/** Signed LEB128 as the standard defines it. */
function signed(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 127;
    const isLast = (rest >> 7 === 0 && (low & 64) === 0) || (rest >> 7 === -1 && (low & 64) !== 0);
    bytes.push(isLast ? low : low | 128);
    if (isLast) return Buffer.from(bytes);
  }
}

describe('the WebAssembly format', () => {
  test('unsigned numbers are decoded as encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })), (values) => {
        const reader = new WasmReader(Buffer.concat(values.map(unsigned)));
        expect(values.map(() => reader.unsigned())).toEqual(values);
        expect(reader.position).toBe(reader.bytes.length);
      }),
    );
  });

  test('signed numbers are decoded as encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (values) => {
        const reader = new WasmReader(Buffer.concat(values.map(signed)));
        expect(values.map(() => reader.signed())).toEqual(values);
      }),
    );
  });

  test('sections are decoded with their content', () => {
    const contents = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.uint8Array({ maxLength: 300 })));
    fc.assert(
      fc.property(contents, (parts) => {
        const bytes = Buffer.concat([
          Buffer.alloc(8),
          ...parts.map(([id, content]) => section(id, [Buffer.from(content)])),
        ]);
        const found = readSections(bytes).map(({ id, content, end }) => [
          id,
          new Uint8Array(bytes.subarray(content, end)),
        ]);
        expect(found).toEqual(parts);
      }),
    );
  });
});
