/** The part of the WebAssembly API that the host uses; Node has it, but its types come only with the browser's. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  const Module: {
    new (bytes: Uint8Array): Module;
    exports(module: Module): { name: string; kind: string }[];
  };
  const Instance: new (module: Module, imports: Imports) => Instance;
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
  }
  class Global {
    constructor(descriptor: { value: 'i32'; mutable: true }, value: number);
    value: number;
  }
  class Table {
    constructor(descriptor: { initial: number; element: 'anyfunc' });
    readonly length: number;
    get(slot: number): unknown;
  }
  class Tag {
    constructor(type: { parameters: readonly 'i32'[] });
    readonly [Symbol.toStringTag]: 'WebAssembly.Tag';
  }
  class Exception {
    constructor(tag: Tag, payload: readonly number[]);
    is(tag: Tag): boolean;
  }
  type Imports = Record<string, unknown>;
}
