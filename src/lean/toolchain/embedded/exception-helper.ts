import { signed, unsigned, type WasmReader } from './wasm-binary.ts';

/**
 * C++ exceptions in this build of Lean are caught by JavaScript: every call that may throw goes through a function
 * `invoke_…(pointer, arguments…)` with a try block, and each crossing between WebAssembly and JavaScript costs. The helper
 * module offers the same functions in WebAssembly (try, call_indirect, catch of one tag), and is passed to Lean instead:
 * attempts become 1.4 times as fast, steps 1.65 times.
 *
 * JavaScript calls a function with the wrong number of arguments without complaint, call_indirect traps; Lean's start-up
 * relies on the former once. So the helper knows the signature of every slot and leaves mismatched calls to
 * JavaScript.
 */
export interface Invoke {
  readonly name: string;
  /** Value types of the parameters, the function pointer first, and of the results. */
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

const i32 = 0x7f;
const zeros: Readonly<Record<number, readonly number[]>> = {
  0x7f: [0x41, 0],
  0x7e: [0x42, 0],
  0x7d: [0x43, 0, 0, 0, 0],
  0x7c: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
};

/** The imports come first in the index space: setThrew, then one JavaScript version of each invoke. */
const setThrew = 0;
const firstFallback = 1;

export const signatureKey = (parameters: readonly number[], results: readonly number[]): string =>
  `${parameters.join()}>${results.join()}`;

/**
 * @param slots the signature of every slot of the function table, `undefined` where the table is empty
 */
export function exceptionHelper(invokes: readonly Invoke[], slots: readonly (string | undefined)[]): Buffer {
  const types = new TypeTable();
  const signatures = new Map<string, number>();
  const bodies: number[][] = [];
  const functions: number[][] = [];
  const exported: number[][] = [];
  const fallbacks: number[][] = [];
  for (const [index, { name, parameters, results }] of invokes.entries()) {
    const callee = parameters.slice(1);
    const key = signatureKey(callee, results);
    if (!signatures.has(key)) signatures.set(key, signatures.size + 1);
    const type = types.add(parameters, results);
    fallbacks.push([...text('fallback'), ...text(name), 0, ...number(type)]);
    functions.push(number(type));
    exported.push([...text(name), 0, ...number(firstFallback + invokes.length + index)]);
    bodies.push(
      invokeBody({
        parameters,
        results,
        calleeType: types.add(callee, results),
        signature: signatures.get(key) ?? 0,
        tableSize: slots.length,
        fallback: firstFallback + index,
      }),
    );
  }
  const tagType = types.add([i32], []);
  const imports = [
    [...text('lean'), ...text('table'), 1, 0x70, 0, ...number(slots.length)],
    [...text('lean'), ...text('stack'), 3, i32, 1],
    [...text('lean'), ...text('tag'), 4, 0, ...number(tagType)],
    [...text('lean'), ...text('setThrew'), 0, ...number(types.add([i32, i32], []))],
    ...fallbacks,
  ];
  // One byte per slot: its signature. The helper has its own memory for it.
  const table = Buffer.from(slots.map((slot) => (slot === undefined ? 0 : (signatures.get(slot) ?? 0))));
  return Buffer.concat([
    Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    vector(1, types.rows),
    vector(2, imports),
    vector(3, functions),
    vector(5, [[0, ...number(Math.ceil(table.length / 65_536))]]),
    vector(7, exported),
    vector(
      10,
      bodies.map((body) => [...number(body.length), ...body]),
    ),
    dataSection(table),
  ]);
}

interface InvokeShape {
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  readonly calleeType: number;
  readonly signature: number;
  readonly tableSize: number;
  readonly fallback: number;
}

function invokeBody(shape: InvokeShape): number[] {
  const { parameters, results, calleeType, signature, tableSize, fallback } = shape;
  const callArguments = parameters.slice(1).flatMap((_, index) => code(0x20, number(index + 1)));
  const savedStack = number(parameters.length);
  const giveUp = code(0x04, 0x40, 0x20, 0, callArguments, 0x10, number(fallback), 0x0f, 0x0b);
  const [result] = results;
  return [
    code(1, 1, i32), // one local: the stack pointer
    code(0x20, 0, 0x41, signed(tableSize), 0x4f, giveUp), // pointer >= table size: added at run time
    code(0x20, 0, 0x2d, 0, 0, 0x41, signed(signature), 0x47, giveUp), // another signature in that slot
    code(0x23, 0, 0x21, savedStack),
    code(0x06, result ?? 0x40), // try
    code(callArguments, 0x20, 0, 0x11, number(calleeType), 0),
    code(0x07, 0, 0x1a), // catch the tag, drop the pointer
    code(0x20, savedStack, 0x24, 0),
    code(0x41, 1, 0x41, 0, 0x10, setThrew),
    code(result === undefined ? [] : (zeros[result] ?? [])),
    code(0x0b, 0x0b),
  ].flat();
}

const code = (...parts: readonly (number | readonly number[])[]): number[] => parts.flat();

class TypeTable {
  readonly rows: number[][] = [];
  readonly #known = new Map<string, number>();

  add(parameters: readonly number[], results: readonly number[]): number {
    const key = signatureKey(parameters, results);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index =
      this.rows.push([
        0x60,
        ...number(parameters.length),
        ...parameters,
        ...number(results.length),
        ...results,
      ]) - 1;
    this.#known.set(key, index);
    return index;
  }
}

const number = (value: number): number[] => [...unsigned(value)];
const text = (value: string): number[] => [...number(value.length), ...Buffer.from(value, 'latin1')];

function vector(id: number, items: readonly (readonly number[])[]): Buffer {
  const content = Buffer.concat([unsigned(items.length), ...items.map((item) => Buffer.from(item))]);
  return Buffer.concat([Buffer.from([id]), unsigned(content.length), content]);
}

function dataSection(bytes: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from([1, 0, 0x41, 0, 0x0b]), unsigned(bytes.length), bytes]);
  return Buffer.concat([Buffer.from([11]), unsigned(content.length), content]);
}

/** The signatures of a module's function types, in order. */
export function readFunctionTypes(reader: WasmReader): { parameters: number[]; results: number[] }[] {
  const list = (): number[] => Array.from({ length: reader.unsigned() }, () => reader.byte());
  return Array.from({ length: reader.unsigned() }, () => {
    reader.expect(0x60, 'a function type');
    return { parameters: list(), results: list() };
  });
}
