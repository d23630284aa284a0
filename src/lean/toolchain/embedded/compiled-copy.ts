import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { packageRoot } from '../../../config/package.ts';
import { sha256 } from '../../../core/sha256.ts';

/**
 * The worker's compiled modules, shipped with orch so that the first start need not compile them: one Brotli stream
 * with a line of JSON and the bytes of all modules. Each module records the hash of its sources; if the hash differs,
 * the reader compiles the module. `npm run lean:compile` rewrites the file.
 */
export const copyFile = path.join(packageRoot, 'lean', 'compiled.br');

export interface CopiedModule {
  readonly name: string;
  /** Hash of its sources (`moduleHashes`). */
  readonly hash: string;
  readonly bytes: Buffer;
}

interface Entry {
  readonly name: string;
  readonly hash: string;
  readonly size: number;
  readonly sha256: string;
}

/** The modules of the copy; none if the file is missing or damaged, since they can always be compiled. */
export function readCopy(file = copyFile): CopiedModule[] {
  try {
    const content = brotliDecompressSync(readFileSync(file));
    const start = content.indexOf('\n') + 1;
    let position = start;
    const entries = JSON.parse(content.toString('utf8', 0, start)) as Entry[];
    return entries.flatMap(({ name, hash, size, sha256: expected }) => {
      const bytes = content.subarray(position, (position += size));
      return sha256(bytes) === expected ? [{ name, hash, bytes }] : [];
    });
  } catch {
    return [];
  }
}

export function packCopy(modules: readonly CopiedModule[]): Buffer {
  const entries = modules.map(({ name, hash, bytes }): Entry => ({
    name,
    hash,
    size: bytes.length,
    sha256: sha256(bytes),
  }));
  const content = Buffer.concat([
    Buffer.from(`${JSON.stringify(entries)}\n`),
    ...modules.map(({ bytes }) => bytes),
  ]);
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}
