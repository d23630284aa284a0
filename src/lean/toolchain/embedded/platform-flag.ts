import { signed, type Section } from './wasm-binary.ts';
import { functionBody, readGlobals, type Export, type Imports } from './wasm-sections.ts';

/**
 * Lean knows that it was built with Emscripten (`System.Platform.isEmscripten`) and then takes three short
 * cuts: an import
 * drops the compiled code of the library (`importModulesCore`, `finalizeImport`), and a plain file sees only the exported
 * level of what it imports (`processHeaderCore`). Then nothing can be compiled that uses a specialised library function:
 * no `for`, no `deriving`, no `#eval` of most things. The package has the data, so the short cuts are removed.
 *
 * Each of the two modules copies the flag into a cell of its own when it is initialised. The copy becomes a `false`;
 * all other code, such as `#version`, still reads the real value.
 */
const flag = 'l_System_Platform_isEmscripten';
const initialisers = ['initialize_Lean_Environment', 'initialize_Lean_Elab_Import'];

/** `i32.load8_u`, then `i32.store8`: the instructions that copy the flag's byte between the cells. */
const load = [0x2d, 0, 0];
const store = [0x3a, 0, 0];
const nop = 0x01;
const constant = 0x41;

/** Changes the initialisers in place, without changing their length. */
export function hidePlatform(
  bytes: Buffer,
  sections: readonly Section[],
  imports: Imports,
  exported: readonly Export[],
): void {
  const exportOf = (name: string): Export => {
    const found = exported.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`wasm: ${name} is not exported`);
    return found;
  };
  const address = readGlobals(bytes, sections)[exportOf(flag).index - imports.globals.length]?.constant;
  if (address === undefined) throw new Error(`wasm: ${flag} has no fixed address`);
  const read = Buffer.from([constant, ...signed(address), ...load, ...store]);
  const zero = zeroOfLength(read.length - store.length);
  for (const name of initialisers) {
    const body = functionBody(bytes, sections, exportOf(name).index - imports.functions.length);
    const place = body.indexOf(read);
    if (place < 0 || body.includes(read, place + 1))
      throw new Error(`wasm: ${name} does not copy ${flag} exactly once`);
    body.set(zero, place);
  }
}

/** `i32.const 0`, made as long as what it replaces. */
function zeroOfLength(length: number): Buffer {
  return Buffer.from([constant, 0, ...Array.from({ length: length - 2 }, () => nop)]);
}
