import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** A saved heap: which pages were not zero, the wasm globals, and where the published objects are. */
export interface HeapImage {
  readonly pages: number;
  /** Runs of stored pages, which are those that hold data: [first page, number of pages]. */
  readonly runs: readonly (readonly [number, number])[];
  readonly globals: Readonly<Record<string, number>>;
  /** The closure `String → IO String` that answers requests. */
  readonly handler: number;
  /** The reference that holds the cancel flag of the running request. */
  readonly cancelFlag: number;
  /** Library modules in the heap (module-cache.ts), which are not read again. */
  readonly modules: readonly number[];
  /**
   * Whether modules of a project were imported before the heap was saved, into the session that workers import
   * into.
   */
  readonly imported?: boolean;
}

/** As the operating system's: a page of zeros takes no memory until Lean writes to it. */
const storedPage = 4096;
/** Maximum memory of a 32-bit build of Lean: 2 GiB. */
export const maxPages = 32_768;
const writeChunk = 1 << 26;
const readChunk = 1 << 28;

export function writeHeap(file: string, memory: Uint8Array): [number, number][] {
  const zeros = Buffer.alloc(storedPage);
  const heap = Buffer.from(memory.buffer, memory.byteOffset, memory.byteLength);
  const isZero = (page: number): boolean =>
    heap.compare(zeros, 0, storedPage, page * storedPage, (page + 1) * storedPage) === 0;
  const runs: [number, number][] = [];
  const output = openSync(file, 'w', 0o600);
  try {
    for (let page = 0; page < heap.length / storedPage;) {
      if (isZero(page)) {
        page++;
        continue;
      }
      let end = page + 1;
      while (end < heap.length / storedPage && !isZero(end)) end++;
      for (let offset = page * storedPage; offset < end * storedPage;)
        offset += writeSync(output, heap, offset, Math.min(writeChunk, end * storedPage - offset));
      runs.push([page, end - page]);
      page = end;
    }
  } finally {
    closeSync(output);
  }
  return runs;
}

export function readHeap(file: string, image: HeapImage, memory: Uint8Array): void {
  const input = openSync(file, 'r');
  let position = 0;
  try {
    for (const [page, count] of image.runs) {
      const end = (page + count) * storedPage;
      for (let offset = page * storedPage; offset < end;) {
        const bytes = readSync(input, memory, offset, Math.min(readChunk, end - offset), position);
        if (bytes === 0) throw new Error(`${file} is truncated at byte ${position}`);
        position += bytes;
        offset += bytes;
      }
    }
  } finally {
    closeSync(input);
  }
}
