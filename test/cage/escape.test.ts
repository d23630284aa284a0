import { expect, test } from 'vitest';
import { section, unsigned } from '../../src/lean/toolchain/embedded/wasm-binary.ts';
import { startWorker } from '../helpers/lean.ts';

/**
 * A module that Emscripten's loader takes for a library with a function written in JavaScript: it evaluates the text. As
 * the package is shipped, a few lines of Lean run any script in the worker's process this way; from there a signal to
 * the parent opened its debugger.
 */
function sideModule(script: string): Buffer {
  const text = Buffer.from(`()<::>{};${script}\0`);
  return Buffer.concat([
    bytes(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    section(0, [name('dylink.0'), bytes(1), counted(Buffer.concat([unsigned(text.length), bytes(0, 0, 0)]))]),
    section(2, [
      unsigned(2),
      Buffer.concat([name('env'), name('memory'), bytes(2, 3), unsigned(1), unsigned(32_768)]),
      Buffer.concat([name('env'), name('__memory_base'), bytes(3, 0x7f, 0)]),
    ]),
    section(6, [unsigned(1), bytes(0x7f, 0, 0x41, 0, 0x0b)]),
    section(7, [unsigned(1), name('__em_js__escape'), bytes(3, 1)]),
    section(11, [unsigned(1), bytes(0, 0x23, 0, 0x0b), counted(text)]),
  ]);
}

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const counted = (content: Buffer): Buffer => Buffer.concat([unsigned(content.length), content]);
const name = (value: string): Buffer => counted(Buffer.from(value));

test('a library that Lean writes and loads runs no script in the worker', async () => {
  await using worker = await startWorker();
  const module = sideModule(`console.error('escaped')`);
  // one character per byte, all of them letters
  const letters = [...module].map((byte) => String.fromCodePoint(0x100 + byte)).join('');
  const text = `@[extern "lean_dynlib_load"] opaque Lean.Dynlib.load (path : @& System.FilePath) : IO Unit
#eval (do
  let bytes := "${letters}".toList.toArray.map fun c => (c.toNat - 256).toUInt8
  IO.FS.writeBinFile "/side.wasm" ⟨bytes⟩
  Lean.Dynlib.load "/side.wasm" : IO Unit)`;
  const reply = await worker.request('load', { session: 1, text, keep_going: true, code: true });
  expect(reply).toMatchObject({
    ok: false,
    kind: 'crash',
    message: expect.stringContaining('may not ask its host for _dlopen_js') as string,
  });
  await worker.exited;
  expect(worker.errorTail).not.toContain('escaped');
});
