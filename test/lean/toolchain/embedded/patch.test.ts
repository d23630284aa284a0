import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/folders.ts';
import {
  findLeanPackage,
  leanFiles,
  verifyLeanPackage,
} from '../../../../src/lean/toolchain/embedded/lean-package.ts';
import { patchGlue, splitGlue } from '../../../../src/lean/toolchain/embedded/patch-glue.ts';
import { globalPrefix, patchWasm } from '../../../../src/lean/toolchain/embedded/patch-wasm.ts';
import { SectionId, WasmReader, readSections } from '../../../../src/lean/toolchain/embedded/wasm-binary.ts';
import { encodeSymbols, findSymbol } from '../../../../src/lean/toolchain/embedded/symbols.ts';
import { longTest } from '../../../helpers/tier.ts';

const leanPackage = findLeanPackage();
const readGlue = (): string => readFileSync(path.join(leanPackage.folder, 'lean.js'), 'latin1');

function exportNames(bytes: Buffer): string[] {
  // valid for the engine, and read back with our own reader
  expect(new WebAssembly.Module(bytes)).toBeDefined();
  const reader = new WasmReader(
    bytes,
    readSections(bytes).find(({ id }) => id === SectionId.export)?.content,
  );
  return Array.from({ length: reader.unsigned() }, () => {
    const name = reader.name();
    reader.byte();
    reader.unsigned();
    return name;
  });
}

describe('the real package', () => {
  test('is the version that the patch was written for', async () => {
    await expect(verifyLeanPackage(leanPackage)).resolves.toBeUndefined();
  });

  test('is refused if a byte of it differs', async () => {
    const folder = temporaryFolder();
    for (const name of Object.keys(leanFiles))
      symlinkSync(path.join(leanPackage.folder, name), path.join(folder, name));
    const glue = readFileSync(path.join(folder, 'lean.js'));
    glue[0] = (glue[0] ?? 0) ^ 1;
    rmSync(path.join(folder, 'lean.js'));
    writeFileSync(path.join(folder, 'lean.js'), glue);
    await expect(verifyLeanPackage({ ...leanPackage, folder })).rejects.toThrow(
      /^lean\.js .* is not the file/,
    );
  });

  test('becomes a module with few exports, fixed addresses and a small JavaScript part', () => {
    const glue = splitGlue(readGlue());
    const patched = patchWasm(readFileSync(path.join(leanPackage.folder, 'lean.wasm')), glue.exports);

    const exported = exportNames(patched.bytes);
    expect(exported.length).toBeLessThan(400);
    for (const name of ['lean_apply_2', 'lean_mk_string', 'malloc', '_mi_heap_default'])
      expect(exported).toContain(name);
    expect(exported.some((name) => name.startsWith(globalPrefix))).toBe(true);

    expect(patched.addresses.size).toBeGreaterThan(200_000);
    const bytes = encodeSymbols(patched.addresses);
    const table = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    let lost = 0;
    for (const [name, address] of patched.addresses)
      if (findSymbol(table, Buffer.from(`${name}\0`, 'latin1'), 0) !== address) lost++;
    expect(lost).toBe(0);

    const text = patchGlue(glue, patched.glueAddresses);
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).toContain('orchHost.findSymbol');
    expect(() => new Script(text)).not.toThrow();
    // neither texts nor programs nor sockets; what a thread may pass to the main one is on the list too
    expect(text).not.toMatch(/\beval\(|new Function|child_process"\)[^(]|require\("ws"\)/);
    expect(text).toMatch(/proxiedFunctionTable=\[_proc_exit,[^\]]*orchHost\.refuse\("___syscall_connect"\)/);
  });

  longTest('another lean.wasm is refused with the name of the missing part', () => {
    const bytes = readFileSync(path.join(leanPackage.folder, 'lean.wasm'));
    const flag = 'l_System_Platform_isEmscripten';
    bytes.write('another', bytes.indexOf(flag), 'latin1');
    expect(() => patchWasm(bytes, [])).toThrow(`wasm: ${flag} is not exported`);
    bytes.write(flag, bytes.indexOf('another'), 'latin1');
    const store = bytes.indexOf(Buffer.from('41e89b3c2d00003a0000', 'hex')) + 7;
    bytes[store] = 0x36;
    expect(() => patchWasm(bytes, [])).toThrow(`does not copy ${flag} exactly once`);
  });

  test('another lean.js is refused with the name of the missing part', () => {
    expect(() => splitGlue('var Module = {};')).toThrow('lean.js: the export list was not found');
    const parts = splitGlue(readGlue());
    expect(() => patchGlue({ ...parts, head: 'changed' }, {})).toThrow(
      'lean.js: unknown version of the package',
    );
  });
});
