import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isAnswered, refusal } from '../imports.ts';
import { moduleReaderHook, stackImport, tableImport, type RuntimeLayout } from '../patch-wasm.ts';

/** Lean's C++ exceptions as WebAssembly exceptions with one tag (see ../exception-helper.ts). One instance per thread. */
export class Exceptions {
  readonly #tag = new WebAssembly.Tag({ parameters: ['i32'] });
  readonly #folder: string;

  constructor(runtimeFolder: string) {
    this.#folder = runtimeFolder;
  }

  /** Completes the imports of Lean: its function table, its stack pointer, and invokes that stay inside WebAssembly. */
  wire(
    imports: { env: Record<string, unknown> },
    setThrew: (threw: number, value: number) => void,
  ): { env: Record<string, unknown> } {
    const layout = JSON.parse(readFileSync(path.join(this.#folder, 'layout.json'), 'utf8')) as RuntimeLayout;
    const table = new WebAssembly.Table({ initial: layout.tableSize, element: 'anyfunc' });
    const stack = new WebAssembly.Global({ value: 'i32', mutable: true }, layout.stackPointer);
    const helper = new WebAssembly.Instance(
      new WebAssembly.Module(readFileSync(path.join(this.#folder, 'exceptions.wasm'))),
      { lean: { table, stack, tag: this.#tag, setThrew }, fallback: imports.env },
    );
    const original = (paths: number): number =>
      (table.get(layout.moduleReaderSlot) as (paths: number) => number)(paths);
    refuseTheRest(imports.env);
    Object.assign(imports.env, helper.exports, {
      [tableImport]: table,
      [stackImport]: stack,
      [moduleReaderHook]: (paths: number) => orchHost.modules.read(orchHost.glue, paths, original),
    });
    return imports;
  }

  raise(pointer: number): never {
    // oxlint-disable-next-line typescript/only-throw-error -- Lean catches this by its tag
    throw new WebAssembly.Exception(this.#tag, [pointer]);
  }

  isRaised(error: unknown): boolean {
    return error instanceof WebAssembly.Exception;
  }
}

/** The glue offers thousands of functions as imports and by address; those not on the list are replaced by a refusal. */
function refuseTheRest(offered: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(offered))
    if (typeof value === 'function' && !isAnswered(name))
      offered[name] = Object.assign(refusal(name), { sig: (value as { sig?: string }).sig });
}
