import { SectionId, WasmReader, section, unsigned, type Section } from './wasm-binary.ts';
import { find, type Export, type Imports } from './wasm-sections.ts';

/**
 * Lets the host replace one of Lean's functions of one parameter. Its body becomes a call of an import of the same
 * type that this build never uses, which the host provides; the old body becomes a new last function, with a table
 * slot through which the host can call it.
 */
export interface Redirection {
  /** The function index of the old body. */
  readonly original: number;
  /** The function (its index among those that the module defines) and its new body. */
  readonly replaced: readonly [index: number, body: Buffer];
  readonly functionSection: Buffer;
}

export function redirect(
  bytes: Buffer,
  sections: readonly Section[],
  imports: Imports,
  exported: readonly Export[],
  name: string,
  hookName: string,
): Redirection {
  const target = exported.find((candidate) => candidate.name === name);
  if (!target) throw new Error(`wasm: ${name} is not exported`);
  const functions = find(sections, SectionId.function);
  const reader = new WasmReader(bytes, functions.content);
  const types = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
  const index = target.index - imports.functions.length;
  const type = types[index] ?? -1;
  const hook = imports.functions.findIndex((candidate) => candidate.name === hookName);
  if (imports.functions[hook]?.type !== type)
    throw new Error(`wasm: ${hookName} cannot replace ${name}: another type`);
  return {
    original: imports.functions.length + types.length,
    functionSection: section(SectionId.function, [
      unsigned(types.length + 1),
      bytes.subarray(
        reader.position - types.reduce((sum, value) => sum + unsigned(value).length, 0),
        functions.end,
      ),
      unsigned(type),
    ]),
    replaced: [index, callHook(hook)],
  };
}

/** One parameter, passed on as it is. */
const callHook = (hook: number): Buffer =>
  Buffer.concat([Buffer.from([0, 0x20, 0, 0x10]), unsigned(hook), Buffer.from([0x0b])]);

/** The code with some bodies replaced, and a copy of the old body of one function at the end. */
export function codeSection(
  bytes: Buffer,
  sections: readonly Section[],
  replaced: ReadonlyMap<number, Buffer>,
  copied: number,
): Buffer {
  const part = find(sections, SectionId.code);
  const reader = new WasmReader(bytes, part.content);
  const count = reader.unsigned();
  const parts: Buffer[] = [unsigned(count + 1)];
  let from = reader.position;
  let copy: Buffer = Buffer.alloc(0);
  for (let current = 0; current < count; current++) {
    const start = reader.position;
    const size = reader.unsigned();
    reader.position += size;
    if (current === copied) copy = bytes.subarray(start, reader.position);
    const body = replaced.get(current);
    if (!body) continue;
    parts.push(bytes.subarray(from, start), unsigned(body.length), body);
    from = reader.position;
  }
  return section(SectionId.code, [...parts, bytes.subarray(from, part.end), copy]);
}
