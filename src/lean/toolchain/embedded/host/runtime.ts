import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { WorkerOptions } from 'node:worker_threads';
import { refusal } from '../imports.ts';
import { findSymbol } from '../symbols.ts';
import { Exceptions } from './exceptions.ts';
import { HostFiles } from './files.ts';
import { ModuleCache } from './module-cache.ts';

/** What the patched `lean.js` passes to the host once its own variables exist. */
export interface Glue {
  readonly exports: LeanExports;
  readonly memory: WebAssembly.Memory;
  readonly HEAP32: Int32Array;
  readonly HEAPU8: Uint8Array;
  readonly HEAPU32: Uint32Array;
  readonly HEAP64: BigInt64Array;
  readonly wasmModule: WebAssembly.Module;
  readonly PThread: { terminateAllThreads(): void };
  UTF8ToString(pointer: number): string;
  writeStat(buffer: number, stat: unknown): number;
}

interface LeanExports {
  malloc(size: number): number;
  free(pointer: number): void;
  lean_mk_string(pointer: number): number;
  lean_apply_2(closure: number, first: number, second: number): number;
  lean_dec_ref_cold(object: number): void;
  mi_reserve_os_memory(bytes: number, commit: number, large: number): number;
  emscripten_stack_set_limits(high: number, low: number): void;
  _ZN4lean19scoped_task_managerC1Ej(object: number, threads: number): void;
  readonly [name: string]: unknown;
}

/** The object that the patched glue calls; one per thread, on `globalThis`. */
interface OrchHost {
  /** Emscripten's `Module`. */
  readonly module: Record<string, unknown>;
  glue: Glue;
  readonly files: HostFiles;
  readonly threadPool: number;
  readonly threadEntry: URL;
  threadOptions(): WorkerOptions;
  findSymbol(name: number): number;
  /** Replaces a dangerous function in the glue. */
  refuse(name: string): (...values: unknown[]) => never;
  readonly exceptions: Exceptions;
  readonly modules: ModuleCache;
  /** Set when a heap is restored instead of Lean's own start. */
  readonly restore?: (exports: LeanExports) => void;
  beforeMain(): void;
  afterMain(): number;
  isUnwind(error: unknown): boolean;
  exit(code: number): void;
}

declare global {
  var orchHost: OrchHost;
}

/** Data shared by the threads of one Lean process; passed to each thread as its `workerData`. */
export interface ThreadData {
  readonly thread: 'em-pthread';
  /** The folder with lean.js, lean.wasm and symbols.bin. */
  readonly runtimeFolder: string;
  /** Files Lean may read: path seen by Lean → folder on the host. Nothing else is visible. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly filePositions: SharedArrayBuffer;
  readonly moduleTable: SharedArrayBuffer;
}

export interface HostOptions {
  readonly data: ThreadData;
  readonly module?: Record<string, unknown>;
  readonly threadPool?: number;
  readonly restore?: (exports: LeanExports) => void;
  readonly beforeMain?: () => void;
  readonly afterMain?: () => void;
  readonly isUnwind?: (error: unknown) => boolean;
  readonly onOutput?: (descriptor: number, bytes: Buffer) => void;
  readonly onExit: (code: number) => void;
}

/** Native stack per thread of Lean's task manager, which recurses deeply. */
const threadStackMegabytes = 64;

export function installHost(options: HostOptions): void {
  const { data } = options;
  let symbols: Uint32Array | undefined;
  globalThis.orchHost = {
    module: options.module ?? {},
    glue: undefined as unknown as Glue, // assigned by lean.js before any hook runs
    exceptions: new Exceptions(data.runtimeFolder),
    modules: new ModuleCache(data.moduleTable),
    files: new HostFiles(data.mounts, data.filePositions, options.onOutput ?? writeToStderr),
    threadPool: options.threadPool ?? 0,
    threadEntry: new URL(`./thread${path.extname(import.meta.url)}`, import.meta.url),
    threadOptions: () => ({
      workerData: data,
      name: 'em-pthread',
      resourceLimits: { stackSizeMb: threadStackMegabytes },
    }),
    findSymbol: (name) =>
      findSymbol((symbols ??= readSymbols(data.runtimeFolder)), orchHost.glue.HEAPU8, name),
    refuse: refusal,
    ...(options.restore && { restore: options.restore }),
    beforeMain: () => options.beforeMain?.(),
    afterMain: () => {
      options.afterMain?.();
      return 0;
    },
    isUnwind: (error) => options.isUnwind?.(error) ?? false,
    exit: options.onExit,
  };
}

/** Loads the patched glue, a CommonJS script, into this thread. It starts by itself. */
export function loadGlue(runtimeFolder: string): void {
  createRequire(import.meta.url)(path.join(runtimeFolder, 'lean.js'));
}

/** Lean's own output goes to stderr, never into our protocol. */
export function writeToStderr(_descriptor: number, bytes: Buffer): void {
  process.stderr.write(bytes);
}

function readSymbols(folder: string): Uint32Array {
  const file = readFileSync(path.join(folder, 'symbols.bin'));
  return new Uint32Array(file.buffer, file.byteOffset, file.byteLength >> 2);
}
