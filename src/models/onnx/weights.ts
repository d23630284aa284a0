import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failed, success, type Result } from '../../core/result.ts';

/** The files of a weights folder, as named by Hugging Face's Optimum. */
export interface ModelFiles {
  readonly encoder: string;
  /** Missing in a folder that only encodes texts, such as a retriever's. */
  readonly decoder: string | undefined;
  /** The first token of an answer. */
  readonly start: number;
  /** Identifies the files: if they change, cached answers and vectors no longer apply. */
  readonly version: string;
}

const Config = z.object({ decoder_start_token_id: z.int().default(0) });

/** The weights in a folder, or what is missing. */
export function weightsIn(folder: string): Result<ModelFiles> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return failed({ kind: 'no-weights', message: `no folder ${folder}` });
  const encoder = path.join(folder, 'encoder_model.onnx');
  const decoder = path.join(folder, 'decoder_model.onnx');
  if (!existsSync(encoder))
    return failed({ kind: 'no-weights', message: `${folder} has no encoder_model.onnx` });
  const files = [encoder, decoder].filter((file) => existsSync(file));
  return success({
    encoder,
    decoder: files[1],
    start: startOf(path.join(folder, 'config.json')),
    version: versionOf(files),
  });
}

/** Hash of size, start and end of the files, because weights have hundreds of megabytes. */
function versionOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size } = statSync(file);
    hash
      .update(String(size))
      .update(partOf(file, 0))
      .update(partOf(file, Math.max(0, size - partLength)));
  }
  return hash.digest('hex').slice(0, 12);
}

const partLength = 1_000_000;

function partOf(file: string, from: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const part = Buffer.alloc(partLength);
    return part.subarray(0, readSync(handle, part, 0, partLength, from));
  } finally {
    closeSync(handle);
  }
}

function startOf(file: string): number {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  return Config.parse(JSON.parse(text)).decoder_start_token_id;
}
