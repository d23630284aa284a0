import { readFileSync } from 'node:fs';
import path from 'node:path';
import { restoreCode } from './code-cache.ts';

type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => void;

/** How the glue instantiates Lean: with saved machine code if it fits, else by compiling. */
export function instantiateWith(
  runtimeFolder: string,
  codeFile: string | undefined,
  onCode?: (hasCode: boolean) => void,
): Instantiate {
  return (imports, done) => {
    const bytes = readFileSync(path.join(runtimeFolder, 'lean.wasm'));
    const cached = codeFile === undefined ? undefined : restoreCode(runtimeFolder, codeFile, bytes);
    const module = cached ?? new WebAssembly.Module(bytes);
    onCode?.(cached !== undefined);
    // V8 now has its own copy, so the 116 MB are freed without waiting for garbage collection
    bytes.buffer.transfer(0);
    done(new WebAssembly.Instance(module, imports), module);
  };
}
