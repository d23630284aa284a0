import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failed, success, type Result } from '../../core/result.ts';

/** The files of a folder of weights, by the names that Hugging Face's Optimum gives them. */
export interface ModelFiles {
  readonly encoder: string;
  /** Missing where the folder only turns texts into vectors, as a retriever does. */
  readonly decoder: string | undefined;
  /** The token that an answer begins with. */
  readonly start: number;
  /** Other files in the same folder are another model: answers and vectors of these are not theirs. */
  readonly version: string;
}

const Config = z.object({ decoder_start_token_id: z.int().default(0) });

/** The weights in a folder, or what is missing there. */
export function weightsIn(folder: string): Result<ModelFiles> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return failed({ kind: 'no-weights', message: `there is no folder ${folder}` });
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

/** By size and by both ends: weights have hundreds of megabytes. */
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
