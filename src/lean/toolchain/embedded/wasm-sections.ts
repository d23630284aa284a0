import { ExternalKind, SectionId, WasmReader, section, unsigned, type Section } from './wasm-binary.ts';

/** Reads and writes the sections of Lean's module that are patched. */

export interface Export {
  readonly name: string;
  readonly kind: number;
  readonly index: number;
}

export function find(sections: readonly Section[], id: number): Section {
  const found = sections.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`wasm: section ${id} is missing`);
  return found;
}

export interface Imports {
  readonly count: number;
  readonly functions: readonly { name: string; type: number }[];
  readonly globals: readonly string[];
}

export function readImports(bytes: Buffer, sections: readonly Section[]): Imports {
  const reader = new WasmReader(bytes, find(sections, SectionId.import).content);
  const globals: string[] = [];
  const functions: { name: string; type: number }[] = [];
  const count = reader.unsigned();
  for (let left = count; left > 0; left--) {
    reader.name();
    const field = reader.name();
    const kind = reader.byte();
    if (kind === ExternalKind.function) {
      functions.push({ name: field, type: reader.unsigned() });
    } else if (kind === ExternalKind.table) {
      reader.byte();
      reader.skipLimits();
    } else if (kind === ExternalKind.memory) {
      reader.skipLimits();
    } else if (kind === ExternalKind.global) {
      reader.position += 2;
      globals.push(field);
    } else {
      reader.byte();
      reader.unsigned();
    }
  }
  return { count, functions, globals };
}

export interface Global {
  readonly mutable: boolean;
  readonly initial: number;
  /** The value of a global that never changes: a data address. */
  readonly constant: number | undefined;
  /** Where its definition ends in the file. */
  readonly end: number;
}

export function readGlobals(bytes: Buffer, sections: readonly Section[]): Global[] {
  const reader = new WasmReader(bytes, find(sections, SectionId.global).content);
  return Array.from({ length: reader.unsigned() }, () => {
    reader.byte();
    const mutable = reader.byte() === 1;
    const opcode = reader.byte();
    let constant: number | undefined;
    if (opcode === 0x41) constant = reader.signed();
    else if (opcode === 0x42) reader.signed();
    else if (opcode === 0x23) reader.unsigned();
    else throw new Error(`wasm: unexpected global initialiser ${opcode}`);
    reader.expect(0x0b, 'end of initialiser');
    return {
      mutable,
      initial: constant ?? 0,
      constant: mutable ? undefined : constant,
      end: reader.position,
    };
  });
}

export function readExports(bytes: Buffer, sections: readonly Section[]): Export[] {
  const reader = new WasmReader(bytes, find(sections, SectionId.export).content);
  return Array.from({ length: reader.unsigned() }, () => ({
    name: reader.name(),
    kind: reader.byte(),
    index: reader.unsigned(),
  }));
}

export function readTable(
  bytes: Buffer,
  sections: readonly Section[],
): { type: number; offset: number; elements: number[] } {
  const tables = new WasmReader(bytes, find(sections, SectionId.table).content);
  tables.expect(1, 'one table');
  const type = tables.byte();
  if (tables.unsigned() & 1) throw new Error('wasm: the function table has a maximum');
  const size = tables.unsigned();

  const segments = new WasmReader(bytes, find(sections, SectionId.element).content);
  segments.expect(1, 'one element segment');
  segments.expect(0, 'an active segment');
  segments.expect(0x41, 'a constant offset');
  const offset = segments.unsigned();
  segments.expect(0x0b, 'end of offset');
  const elements = Array.from({ length: segments.unsigned() }, () => segments.unsigned());
  if (offset + elements.length !== size) throw new Error('wasm: the element segment does not fill the table');
  return { type, offset, elements };
}

/** The dylink section names the exports that are offsets into thread-local storage (flag 256), not addresses. */
export function readThreadLocals(bytes: Buffer, sections: readonly Section[]): Set<string> {
  const names = new Set<string>();
  const dylink = find(sections, SectionId.custom);
  const reader = new WasmReader(bytes, dylink.content);
  reader.name();
  while (reader.position < dylink.end) {
    const kind = reader.byte();
    const size = reader.unsigned();
    const end = reader.position + size;
    if (kind === 3) {
      for (let left = reader.unsigned(); left > 0; left--) {
        const name = reader.name();
        if (reader.unsigned() & 256) names.add(name);
      }
    }
    reader.position = end;
  }
  return names;
}

export function resultCounts(bytes: Buffer, sections: readonly Section[]): (index: number) => number {
  const types = new WasmReader(bytes, find(sections, SectionId.type).content);
  const results = Array.from({ length: types.unsigned() }, () => {
    types.expect(0x60, 'a function type');
    const parameters = types.unsigned();
    types.position += parameters;
    const count = types.unsigned();
    types.position += count;
    return count;
  });
  const functions = new WasmReader(bytes, find(sections, SectionId.function).content);
  const typeOf = Array.from({ length: functions.unsigned() }, () => functions.unsigned());
  return (index) => results[typeOf[index] ?? -1] ?? 0;
}

/** The body of a function, by its index among those that the module defines; a view into `bytes`. */
export function functionBody(bytes: Buffer, sections: readonly Section[], index: number): Buffer {
  const reader = new WasmReader(bytes, find(sections, SectionId.code).content);
  const count = reader.unsigned();
  if (index < 0 || index >= count) throw new Error(`wasm: there is no function ${index}`);
  for (let skipped = 0; skipped < index; skipped++) {
    const size = reader.unsigned();
    reader.position += size;
  }
  const size = reader.unsigned();
  return bytes.subarray(reader.position, reader.position + size);
}

export const elementSection = (offset: number, elements: readonly number[]): Buffer =>
  section(SectionId.element, [
    unsigned(1),
    unsigned(0),
    Buffer.from([0x41]),
    unsigned(offset),
    Buffer.from([0x0b]),
    unsigned(elements.length),
    ...elements.map(unsigned),
  ]);

export const exportSection = (entries: readonly Export[]): Buffer =>
  section(SectionId.export, [
    unsigned(entries.length),
    ...entries.flatMap(({ name, kind, index }) => [
      unsigned(name.length),
      Buffer.from(name, 'latin1'),
      Buffer.from([kind]),
      unsigned(index),
    ]),
  ]);
