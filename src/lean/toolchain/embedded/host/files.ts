import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { storedFile } from './library-files.ts';

/** Emscripten's numbers for the errors that Lean's library loader may meet. */
const Errno: Readonly<Record<string, number>> = {
  EACCES: 2,
  EBADF: 8,
  EINVAL: 28,
  EISDIR: 31,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
};
const errnoIo = 29;

/** Descriptors of real files start here; smaller ones belong to Emscripten's own in-memory file system. */
const firstDescriptor = 100_000;
const maxFiles = 8192;
const accessMode = 3;
/** Access mode, create, truncate: what a writer of files needs, in Emscripten's numbers as in Linux's. */
const writeFlags = 3 | 64 | 512;
const directoryFlag = 65_536;

/**
 * How much the code of one process may write to files, in blocks of 1 KiB: 2 GiB to disk, 256 MiB to memory. A
 * new file costs blocks
 * too. A process that compiles serves several modules, and the largest of Mathlib have 50 MB.
 */
const writeBudget = { blocks: 2 ** 21, perFile: 4, blockBytes: 1024, inMemory: 8 };

/** The only folder that a compiling worker may write to; the host empties it, checks it and removes it. */
export const outputMount = '/lean/output';

/**
 * The file calls of Lean, answered in the thread that makes them. Of the host, Lean reads only the folders in
 * `mounts` and writes only below `outputMount`, if that is mounted. Other paths fall through (`undefined`) to
 * Emscripten's file system, which is in memory and starts empty. A worker that serves no project has no mount
 * at all:
 * its library is in its heap.
 */
export class HostFiles {
  /** Read offsets of the files that Lean has opened, shared by all threads; NaN: not opened by Lean, and not its to use. */
  readonly #positions: Float64Array;
  /** Blocks written so far, counted by all threads. */
  readonly #written: Int32Array;
  readonly #mounts: readonly (readonly [string, string])[];
  readonly #onOutput: (descriptor: number, bytes: Buffer) => void;

  constructor(
    mounts: Readonly<Record<string, string>>,
    positions: SharedArrayBuffer,
    onOutput: (descriptor: number, bytes: Buffer) => void,
  ) {
    this.#mounts = Object.entries(mounts);
    this.#positions = new Float64Array(positions, 0, maxFiles);
    this.#written = new Int32Array(positions, this.#positions.byteLength, 1);
    this.#onOutput = onOutput;
  }

  static sharedPositions(): SharedArrayBuffer {
    const positions = new SharedArrayBuffer(
      maxFiles * Float64Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT,
    );
    new Float64Array(positions, 0, maxFiles).fill(Number.NaN);
    return positions;
  }

  openat(directory: number, name: number, flags: number): number | undefined {
    const file = this.#resolve(name, directory);
    if (file === undefined || flags & directoryFlag) return undefined;
    const writes = (flags & accessMode) !== 0;
    if (writes && !this.#mayWrite(name)) return -(Errno['EACCES'] ?? errnoIo);
    if (writes && !this.#mayAdd(writeBudget.perFile)) return -(Errno['ENOSPC'] ?? errnoIo);
    return attempt(() => {
      const descriptor = writes ? openSync(file, flags & writeFlags, 0o600) : openSync(file, 'r');
      if (descriptor >= maxFiles || fstatSync(descriptor).isDirectory()) {
        closeSync(descriptor);
        return undefined;
      }
      this.#positions[descriptor] = 0;
      return descriptor + firstDescriptor;
    }, -1);
  }

  stat(name: number, buffer: number): number | undefined {
    const file = this.#resolve(name);
    if (file === undefined) return undefined;
    return attempt(() => orchHost.glue.writeStat(buffer, statSync(file)), -1);
  }

  fstat(descriptor: number, buffer: number): number | undefined {
    if (descriptor < firstDescriptor) return undefined;
    return attempt(() => orchHost.glue.writeStat(buffer, fstatSync(this.#opened(descriptor))), -1);
  }

  read(descriptor: number, vectors: number, count: number, result: number): number | undefined {
    if (descriptor === 0) return this.#endOfInput(result);
    if (descriptor < firstDescriptor) return undefined;
    return attempt(() => {
      let total = 0;
      const file = this.#opened(descriptor);
      for (let index = 0; index < count; index++) {
        const pointer = orchHost.glue.HEAPU32[(vectors >> 2) + index * 2] ?? 0;
        const length = orchHost.glue.HEAPU32[(vectors >> 2) + index * 2 + 1] ?? 0;
        const position = this.#positions[file] ?? 0;
        const bytes = readSync(
          file,
          orchHost.glue.HEAPU8.subarray(pointer, pointer + length),
          0,
          length,
          position,
        );
        this.#positions[file] = position + bytes;
        total += bytes;
        if (bytes < length) break;
      }
      orchHost.glue.HEAPU32[result >> 2] = total;
      return 0;
    }, 1);
  }

  write(descriptor: number, vectors: number, count: number, result: number): number | undefined {
    const { HEAPU32, HEAPU8 } = orchHost.glue;
    const isFile = descriptor >= firstDescriptor;
    const isStream = descriptor === 1 || descriptor === 2;
    const lengthAt = (index: number): number => HEAPU32[(vectors >> 2) + index * 2 + 1] ?? 0;
    if (!isStream) {
      let length = 0;
      for (let index = 0; index < count; index++) length += lengthAt(index);
      const blocks = Math.ceil(length / writeBudget.blockBytes) * (isFile ? 1 : writeBudget.inMemory);
      if (!this.#mayAdd(blocks)) return Errno['ENOSPC'] ?? errnoIo;
      if (!isFile) return undefined;
    }
    const parts: Uint8Array[] = [];
    for (let index = 0; index < count; index++) {
      const pointer = HEAPU32[(vectors >> 2) + index * 2] ?? 0;
      // slice, not subarray: the memory is shared, and Buffer functions refuse shared memory
      parts.push(HEAPU8.slice(pointer, pointer + lengthAt(index)));
    }
    const bytes = Buffer.concat(parts);
    if (isFile) return this.#writeFile(descriptor, bytes, result);
    HEAPU32[result >> 2] = bytes.length;
    // lines "[DEBUG:…" are debug output of this Lean build
    if (!bytes.subarray(0, 6).equals(debugMark)) this.#onOutput(descriptor, bytes);
    return 0;
  }

  /** A file that was opened for reading refuses writes anyway. */
  #writeFile(descriptor: number, bytes: Buffer, result: number): number | undefined {
    return attempt(() => {
      const file = this.#opened(descriptor);
      const position = this.#positions[file] ?? 0;
      for (let done = 0; done < bytes.length;)
        done += writeSync(file, bytes, done, bytes.length - done, position + done);
      this.#positions[file] = position + bytes.length;
      orchHost.glue.HEAPU32[result >> 2] = bytes.length;
      return 0;
    }, 1);
  }

  rename(from: number, to: number): number | undefined {
    const [source, target] = [this.#resolve(from), this.#resolve(to)];
    if (source === undefined && target === undefined) return undefined;
    if (source === undefined || target === undefined || !this.#mayWrite(from) || !this.#mayWrite(to))
      return -(Errno['EACCES'] ?? errnoIo);
    return attempt(() => {
      renameSync(source, target);
      return 0;
    }, -1);
  }

  /** Whether such a file exists. */
  access(name: number): number | undefined {
    const file = this.#resolve(name);
    if (file === undefined) return undefined;
    return attempt(() => (statSync(file), 0), -1);
  }

  seek(descriptor: number, offset: bigint | number, whence: number, result: number): number | undefined {
    if (descriptor < firstDescriptor) return undefined;
    return attempt(() => {
      const file = this.#opened(descriptor);
      const base = whence === 0 ? 0 : whence === 1 ? (this.#positions[file] ?? 0) : fstatSync(file).size;
      const position = base + Number(offset);
      if (position < 0) return Errno['EINVAL'];
      this.#positions[file] = position;
      orchHost.glue.HEAP64[result >> 3] = BigInt(position);
      return 0;
    }, 1);
  }

  close(descriptor: number): number | undefined {
    if (descriptor < firstDescriptor) return undefined;
    return attempt(() => {
      const file = this.#opened(descriptor);
      this.#positions[file] = Number.NaN;
      closeSync(file);
      return 0;
    }, 1);
  }

  /**
   * The real descriptor, if Lean has opened it. A forged number must not reach other descriptors of this
   * process.
   */
  #opened(descriptor: number): number {
    const file = descriptor - firstDescriptor;
    if (Number.isNaN(this.#positions[file] ?? Number.NaN))
      throw Object.assign(new Error('not opened by Lean'), { code: 'EBADF' });
    return file;
  }

  /** Requests do not go through Lean's stdin, so a program that reads it gets an immediate end of file. */
  #endOfInput(result: number): number {
    orchHost.glue.HEAPU32[result >> 2] = 0;
    return 0;
  }

  #mayAdd(blocks: number): boolean {
    if (Atomics.add(this.#written, 0, blocks) + blocks <= writeBudget.blocks) return true;
    Atomics.sub(this.#written, 0, blocks);
    return false;
  }

  #mayWrite(name: number): boolean {
    return path.resolve('/', orchHost.glue.UTF8ToString(name)).startsWith(`${outputMount}/`);
  }

  #resolve(name: number, directory = currentDirectory): string | undefined {
    const text = orchHost.glue.UTF8ToString(name);
    if (!text.startsWith('/') && directory !== currentDirectory) return undefined;
    const file = storedFile(path.resolve('/', text));
    for (const [seen, real] of this.#mounts) {
      if (file === seen || file.startsWith(`${seen}/`)) return real + file.slice(seen.length);
    }
    return undefined;
  }
}

const currentDirectory = -100;
const debugMark = Buffer.from('[DEBUG');

/**
 * Runs a file call and converts an error to Emscripten's number, negated if the call's convention requires
 * that.
 */
function attempt(call: () => number | undefined, sign: 1 | -1): number | undefined {
  try {
    return call();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return sign * (Errno[code] ?? errnoIo);
  }
}
