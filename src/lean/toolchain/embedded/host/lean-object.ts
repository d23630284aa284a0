import type { Glue } from './runtime.ts';

/**
 * Calls a Lean closure `String → IO String` from JavaScript. Layouts are those of the 32-bit Lean runtime: an object
 * starts with a reference count (positive: one thread; negative: shared; 0: never freed), then 4 bytes of which the
 * last is its tag.
 */
const tagOffset = 7;
const firstField = 8;
const stringSize = 8;
const stringData = 20;
/** `lean_box(0)`: the token that stands for the real world in compiled IO functions. */
const world = 1;

/** Adds one reference, as `lean_inc` does. */
export function retain(glue: Glue, object: number): void {
  const { HEAP32 } = glue;
  const count = HEAP32[object >> 2] ?? 0;
  if (count !== 0) HEAP32[object >> 2] = count > 0 ? count + 1 : count - 1;
}

function release(glue: Glue, object: number): void {
  const { HEAP32 } = glue;
  const count = HEAP32[object >> 2] ?? 0;
  if (count > 1) HEAP32[object >> 2] = count - 1;
  else if (count !== 0) glue.exports.lean_dec_ref_cold(object);
}

export function callLean(glue: Glue, closure: number, request: string): string {
  const bytes = Buffer.from(`${request}\0`);
  const buffer = glue.exports.malloc(bytes.length);
  glue.HEAPU8.set(bytes, buffer);
  const argument = glue.exports.lean_mk_string(buffer);
  glue.exports.free(buffer);
  retain(glue, closure); // lean_apply consumes one reference
  const result = glue.exports.lean_apply_2(closure, argument, world);
  const failed = glue.HEAPU8[result + tagOffset] !== 0;
  const value = glue.HEAPU32[(result + firstField) >> 2] ?? 0;
  const text = failed ? undefined : readString(glue, value);
  release(glue, result);
  if (text === undefined) throw new Error('the Lean worker threw an IO error');
  return text;
}

export function readString(glue: Glue, object: number): string {
  const size = glue.HEAPU32[(object + stringSize) >> 2] ?? 1;
  const start = object + stringData;
  return Buffer.from(glue.HEAPU8.slice(start, start + size - 1)).toString();
}
