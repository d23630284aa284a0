import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * V8's optimised machine code for Lean, saved after a warm-up: the first `omega` then takes 0.1 s instead of 1.6 s. It
 * uses V8's test intrinsics (`--allow-natives-syntax`) and fits one Node binary and one set of flags only, so
 * it is optional: if anything fails, Lean is compiled again.
 */
export function restoreCode(
  runtimeFolder: string,
  file: string,
  wasm: Buffer,
): WebAssembly.Module | undefined {
  try {
    const code = readFileSync(file);
    // V8 needs a whole buffer; Node reads files of this size into separate buffers
    const module = intrinsics(runtimeFolder).deserialize(code.buffer, wasm);
    code.buffer.transfer(0);
    return module;
  } catch {
    return undefined;
  }
}

export function serializeCode(runtimeFolder: string, file: string, module: WebAssembly.Module): number {
  const code = Buffer.from(intrinsics(runtimeFolder).serialize(module));
  writeFileSync(`${file}.new`, code, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return code.length;
}

/**
 * An intrinsic is a syntax error to every parser but V8's with the flag on, and workers may not evaluate
 * strings (`--disallow-code-generation-from-strings`). So they are in a separate script, written when the
 * runtime is built.
 */
export const intrinsicsFile = 'intrinsics.js';
export const intrinsicsScript =
  'exports.serialize = (module) => %SerializeWasmModule(module);\nexports.deserialize = (code, wasm) => %DeserializeWasmModule(code, wasm);\n';

interface Intrinsics {
  serialize(module: WebAssembly.Module): ArrayBuffer;
  deserialize(code: ArrayBufferLike, wasm: Buffer): WebAssembly.Module | undefined;
}

function intrinsics(runtimeFolder: string): Intrinsics {
  return createRequire(import.meta.url)(path.join(runtimeFolder, intrinsicsFile)) as Intrinsics;
}
