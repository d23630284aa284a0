import type { Section } from './wasm-binary.ts';
import { functionBody, type Export, type Imports } from './wasm-sections.ts';

/**
 * Lean rounds the size of an object up to 8 bytes and clears only the last machine word of the padding. That is enough on 64
 * bits; on 32 bits, up to 3 bytes of old memory remain. They would end up in compiled modules, whose bytes then
 * differ from one
 * compilation to the next. The allocator of objects clears the last 8 bytes instead.
 */
const allocator = 'mi_malloc_small';

const set = (local: number): number[] => [0x21, local];
const get = (local: number): number[] => [0x20, local];
const otherwise = 0x05;
const end = 0x0b;
/** `return`, `end`: how the branch for a page without a free block ends. */
const returns = [0x0f, end];
const [size, block] = [0, 2];
/** `if (size >= 8) *(i64*)(block + size - 8) = 0` */
const clear = [
  get(size),
  [0x41, 8, 0x4f, 0x04, 0x40],
  get(block),
  get(size),
  [0x6a, 0x41, 8, 0x6b, 0x42, 0, 0x37, 2, 0],
  [end],
].flat();

/** The index of the allocator among the functions that the module defines, and its new body. */
export function zeroPadding(
  bytes: Buffer,
  sections: readonly Section[],
  imports: Imports,
  exported: readonly Export[],
): readonly [index: number, body: Buffer] {
  const found = exported.find(({ name }) => name === allocator);
  if (!found) throw new Error(`wasm: ${allocator} is not exported`);
  const index = found.index - imports.functions.length;
  const body = functionBody(bytes, sections, index);
  const tail = Buffer.from([...get(block), end]);
  const slowEnd = body.indexOf(Buffer.from(returns));
  if (slowEnd < 0 || !body.subarray(-tail.length).equals(tail))
    throw new Error(`wasm: ${allocator} does not have the expected form`);
  return [
    index,
    Buffer.concat([
      body.subarray(0, slowEnd),
      Buffer.from([...set(block), otherwise]),
      body.subarray(slowEnd + returns.length, -tail.length),
      Buffer.from([end, ...clear]),
      tail,
    ]),
  ];
}
