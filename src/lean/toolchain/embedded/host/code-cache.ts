import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * V8's optimised machine code for Lean, saved after a warm-up: the first `omega` then takes 0.1 s instead of 1.6 s. It
 * uses V8's test intrinsics (`--allow-natives-syntax`) and fits one Node binary and one set of flags only, so it is never
 * required: whatever goes wrong, Lean is compiled afresh.
 */
export function restoreCode(file: string, wasm: Buffer): WebAssembly.Module | undefined {
  try {
    const code = readFileSync(file);
    // V8 wants the whole of a buffer; both are large files, which Node reads into buffers of their own
    const module = intrinsic('%DeserializeWasmModule(a, b)', code.buffer, wasm) as
      | WebAssembly.Module
      | undefined;
    code.buffer.transfer(0);
    return module;
  } catch {
    return undefined;
  }
}

export function serializeCode(file: string, module: WebAssembly.Module): number {
  const code = Buffer.from(intrinsic('%SerializeWasmModule(a)', module) as ArrayBuffer);
  writeFileSync(`${file}.new`, code, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return code.length;
}

/** An intrinsic is a syntax error to every parser but V8's with the flag on, so it can only be evaluated. */
function intrinsic(call: string, ...values: unknown[]): unknown {
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval
  return (new Function('a', 'b', `return ${call}`) as (...values: unknown[]) => unknown)(...values);
}
