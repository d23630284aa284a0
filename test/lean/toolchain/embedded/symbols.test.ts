import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeSymbols, findSymbol } from '../../../../src/lean/toolchain/embedded/symbols.ts';

/** Text that a C string in Lean's memory can contain. */
const name = fc
  .uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));
const addresses = fc.dictionary(name, fc.integer({ min: 1, max: 2 ** 32 - 1 }));

function tableOf(known: Readonly<Record<string, number>>): Uint32Array {
  const bytes = encodeSymbols(new Map(Object.entries(known)));
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

describe('the symbol table', () => {
  test('finds the address of every symbol, wherever its name is stored', () => {
    fc.assert(
      fc.property(addresses, fc.nat({ max: 50 }), (known, offset) => {
        const table = tableOf(known);
        for (const [symbol, address] of Object.entries(known)) {
          const memory = Buffer.concat([Buffer.alloc(offset, 'x'), Buffer.from(`${symbol}\0rest`, 'latin1')]);
          expect(findSymbol(table, memory, offset)).toBe(address);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('returns 0 for an unknown symbol', () => {
    fc.assert(
      fc.property(addresses, name, (known, unknown) => {
        fc.pre(!(unknown in known));
        expect(findSymbol(tableOf(known), Buffer.from(`${unknown}\0`, 'latin1'), 0)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
