import { exceptionHelper, readFunctionTypes, signatureKey, type Invoke } from './exception-helper.ts';
import {
  ExternalKind,
  SectionId,
  WasmReader,
  readSections,
  section,
  unsigned,
  type Section,
} from './wasm-binary.ts';
import { refuseUnknownImports } from './imports.ts';
import { hidePlatform } from './platform-flag.ts';
import { codeSection, redirect } from './redirect.ts';
import { zeroPadding } from './zero-padding.ts';
import {
  elementSection,
  exportSection,
  find,
  functionBody,
  readExports,
  readGlobals,
  readImports,
  readTable,
  readThreadLocals,
  resultCounts,
  type Export,
  type Imports,
} from './wasm-sections.ts';

/**
 * `lean.wasm` as shipped exports 201,110 functions and lets JavaScript assign table slots at run time, so that
 * a function's "C address" depends on the order of requests. Patched, it exports about 80 items, and every
 * formerly exported function has a fixed slot in the table: the same address in every thread and process. This
 * makes heap snapshots possible and reduces the start from 246 s to seconds.
 */
export interface PatchedWasm {
  readonly bytes: Buffer;
  /** The module with the exception trampolines, to be instantiated first (see exception-helper.ts). */
  readonly helper: Buffer;
  readonly layout: RuntimeLayout;
  /** Name → address of everything that was exported: functions (table slots) and constants (data addresses). */
  readonly addresses: ReadonlyMap<string, number>;
  /** The addresses that the JavaScript glue itself needs before memory exists. */
  readonly glueAddresses: Readonly<Record<string, number>>;
}

/** What the host must create before it can instantiate Lean: the function table and the stack pointer are imports. */
export interface RuntimeLayout {
  readonly tableSize: number;
  readonly stackPointer: number;
  /** The table slot of Lean's own reader of library files. */
  readonly moduleReaderSlot: number;
}

/** Mutable globals are exported under this prefix and their index, so that a snapshot can save and restore them. */
export const globalPrefix = '__orch_global_';

/** The names of the two things that the host creates for Lean. */
export const tableImport = '__orch_table';
export const stackImport = '__orch_stack';

/** Lean's reader of library files, and the import (an unused `fork`) through which the host replaces it. */
const moduleReader = 'lean_read_module_data_parts';
export const moduleReaderHook = 'uv__io_fork';

/** Exports that the host calls itself, besides what the glue uses. */
const hostExports = [
  'mi_reserve_os_memory',
  'mi_collect',
  'emscripten_stack_set_limits',
  'lean_mk_string',
  'lean_apply_2',
  'lean_dec_ref_cold',
  '_ZN4lean19scoped_task_managerC1Ej',
  'free',
  'malloc',
  'main',
  '__main_argc_argv',
  'lean_main',
  '__tls_size',
  '__tls_align',
  '_emscripten_tls_init',
  '__stack_pointer',
];

/** Destructors that must do nothing, so that main() can be left without shutting down the runtime. */
const silenced = ['_ZN4lean11initializerD1Ev'];

export function patchWasm(original: Buffer, glueExports: Iterable<string>): PatchedWasm {
  const bytes = Buffer.from(original);
  const sections = readSections(bytes);
  const imports = readImports(bytes, sections);
  refuseUnknownImports(imports.functions.map(({ name }) => name));
  const globals = readGlobals(bytes, sections);
  const exported = readExports(bytes, sections);
  const table = readTable(bytes, sections);

  const slots = new Map<number, number>();
  for (const [index, fn] of table.elements.entries()) {
    if (!slots.has(fn)) slots.set(fn, table.offset + index);
  }
  for (const { kind, index } of exported) {
    if (kind !== ExternalKind.function || slots.has(index)) continue;
    slots.set(index, table.offset + table.elements.length);
    table.elements.push(index);
  }

  silence(bytes, sections, exported, imports.functions.length);
  hidePlatform(bytes, sections, imports, exported);
  const reader = redirect(bytes, sections, imports, exported, moduleReader, moduleReaderHook);
  const code = codeSection(
    bytes,
    sections,
    new Map([reader.replaced, zeroPadding(bytes, sections, imports, exported)]),
    reader.replaced[0],
  );
  const readerSlot = table.offset + table.elements.length;
  table.elements.push(reader.original);
  const tableSize = table.offset + table.elements.length;

  const addresses = new Map<string, number>();
  for (const { name, kind, index } of exported) {
    const address =
      kind === ExternalKind.function
        ? slots.get(index)
        : kind === ExternalKind.global
          ? globals[index - imports.globals.length]?.constant
          : undefined;
    if (address) addresses.set(name, address >>> 0);
  }

  const threadLocals = readThreadLocals(bytes, sections);
  const keep = new Set([...glueExports, ...hostExports, ...threadLocals]);
  const glueAddresses: Record<string, number> = {};
  for (const name of [...keep, ...imports.globals]) {
    const address = addresses.get(name);
    if (address !== undefined && !threadLocals.has(name)) glueAddresses[name] = address;
  }

  const [stackPointer] = globals;
  const stackExport = exported.find(({ name }) => name === '__stack_pointer');
  if (!stackPointer?.mutable || stackExport?.index !== imports.globals.length)
    throw new Error('wasm: the stack pointer is not the first global');
  const exportEntries = exported
    .filter(({ name }) => keep.has(name))
    .concat(
      globals.flatMap((global, index) =>
        global.mutable
          ? [
              {
                name: `${globalPrefix}${imports.globals.length + index}`,
                kind: ExternalKind.global,
                index: imports.globals.length + index,
              },
            ]
          : [],
      ),
    );

  const parts: Buffer[] = [bytes.subarray(0, 8)];
  for (const part of sections) {
    if (part.id === SectionId.table) continue;
    if (part.id === SectionId.import)
      parts.push(importSection(bytes, part, imports.count, table.type, tableSize));
    else if (part.id === SectionId.global)
      parts.push(globalSection(bytes, part, globals.length, stackPointer.end));
    else if (part.id === SectionId.function) parts.push(reader.functionSection);
    else if (part.id === SectionId.code) parts.push(code);
    else if (part.id === SectionId.export) parts.push(exportSection(exportEntries));
    else if (part.id === SectionId.element) parts.push(elementSection(table.offset, table.elements));
    else parts.push(bytes.subarray(part.start, part.end));
  }
  return {
    bytes: Buffer.concat(parts),
    helper: exceptionHelper(
      invokesOf(bytes, sections, imports.functions),
      slotSignatures(bytes, sections, imports.functions, table),
    ),
    layout: {
      tableSize,
      stackPointer: stackPointer.initial,
      moduleReaderSlot: readerSlot,
    },
    addresses,
    glueAddresses,
  };
}

/** The functions through which Lean makes calls that may throw. */
function invokesOf(bytes: Buffer, sections: readonly Section[], functions: Imports['functions']): Invoke[] {
  const types = readFunctionTypes(new WasmReader(bytes, find(sections, SectionId.type).content));
  return functions
    .filter(({ name }) => name.startsWith('invoke_'))
    .flatMap(({ name, type }) => {
      const found = types[type];
      return found ? [{ name, ...found }] : [];
    });
}

function slotSignatures(
  bytes: Buffer,
  sections: readonly Section[],
  functions: Imports['functions'],
  table: { offset: number; elements: readonly number[] },
): (string | undefined)[] {
  const types = readFunctionTypes(new WasmReader(bytes, find(sections, SectionId.type).content));
  const keys = types.map(({ parameters, results }) => signatureKey(parameters, results));
  const reader = new WasmReader(bytes, find(sections, SectionId.function).content);
  const defined = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
  const typeOf = (index: number): number =>
    (index < functions.length ? functions[index]?.type : defined[index - functions.length]) ?? -1;
  return [
    ...Array.from({ length: table.offset }, () => undefined),
    ...table.elements.map((index) => keys[typeOf(index)]),
  ];
}

/**
 * Overwrite the bodies of `silenced` in place: no locals, no-ops, and the argument as the result, if there is
 * one.
 */
function silence(
  bytes: Buffer,
  sections: readonly Section[],
  exported: readonly Export[],
  imported: number,
): void {
  const results = resultCounts(bytes, sections);
  for (const name of silenced) {
    const found = exported.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`wasm: ${name} is not exported`);
    const index = found.index - imported;
    const body = functionBody(bytes, sections, index);
    const returning = results(index) ? [0x20, 0] : [];
    body.fill(0x01);
    body[0] = 0;
    body.set([...returning, 0x0b], body.length - 1 - returning.length);
  }
}

/** Two more imports: the function table and the stack pointer, which then keeps its index as the last imported global. */
function importSection(
  bytes: Buffer,
  part: Section,
  count: number,
  tableType: number,
  tableSize: number,
): Buffer {
  const rows = new WasmReader(bytes, part.content);
  rows.unsigned();
  return section(SectionId.import, [
    unsigned(count + 2),
    bytes.subarray(rows.position, part.end),
    nameBytes('env'),
    nameBytes(tableImport),
    Buffer.from([ExternalKind.table, tableType, 0]),
    unsigned(tableSize),
    nameBytes('env'),
    nameBytes(stackImport),
    Buffer.from([ExternalKind.global, 0x7f, 1]),
  ]);
}

const nameBytes = (text: string): Buffer =>
  Buffer.concat([unsigned(text.length), Buffer.from(text, 'latin1')]);

function globalSection(bytes: Buffer, part: Section, count: number, firstEnd: number): Buffer {
  return section(SectionId.global, [unsigned(count - 1), bytes.subarray(firstEnd, part.end)]);
}
