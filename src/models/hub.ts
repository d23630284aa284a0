import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { makeFolders } from '../core/folders.ts';
import { messageOf } from '../core/errors.ts';
import { failed, success, type Result } from '../core/result.ts';
import { replaceFile } from '../io/whole-file.ts';

/** Public models by short names: repositories of the Hugging Face hub. */
const publicModels: Readonly<Record<string, string>> = {
  'reprover-retriever': 'kaiyuy/leandojo-lean4-retriever-byt5-small',
  'reprover-generator': 'kaiyuy/leandojo-lean4-tacgen-byt5-small',
};

/** The files of Optimum's ONNX export; large weights are in a separate data file. */
const wanted = /^(?:onnx\/)?((?:encoder|decoder)_model\.onnx(?:_data)?|config\.json)$/;
/** In the format of `sha256sum`, for `sha256sum --check` and `orch doctor`. */
const sums = 'weights.sha256';

const Listing = z.object({
  sha: z.string(),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      lfs: z.object({ sha256: z.string() }).nullish(),
    }),
  ),
});

export interface FetchedWeights {
  readonly folder: string;
  readonly repository: string;
  readonly revision: string;
  readonly files: readonly string[];
}

export interface HubOptions {
  /** `https://huggingface.co`, or a mirror of it (HF_ENDPOINT). */
  readonly endpoint: string;
  readonly signal?: AbortSignal;
  /** Receives the name of each complete file. */
  readonly tell?: (file: string) => void;
}

/**
 * Downloads the weights of a public model into a separate folder below `folder`. Each file is checked against
 * the hub's hash before it
 * gets its name; existing files are checked and not downloaded again.
 */
export async function fetchWeights(
  name: string,
  folder: string,
  { endpoint, signal, tell = () => {} }: HubOptions,
): Promise<Result<FetchedWeights>> {
  const repository = publicModels[name] ?? name;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    return failed({
      kind: 'no-such-model',
      message: `${name} is not a known model`,
      fix: `Name ${Object.keys(publicModels).join(', ')} or OWNER/REPOSITORY.`,
    });
  const target = path.join(folder, name.replaceAll('/', '--'));
  try {
    const asked = await get(`${endpoint}/api/models/${repository}/revision/main?blobs=true`, signal);
    const { sha, siblings } = Listing.parse(await asked.json());
    const files = siblings.flatMap(({ rfilename, lfs }) => {
      const [, file] = wanted.exec(rfilename) ?? [];
      return file === undefined ? [] : [{ from: rfilename, file, sha256: lfs?.sha256 }];
    });
    if (!files.some(({ file }) => file === 'encoder_model.onnx')) return notExported(repository, target);
    makeFolders(target);
    const lines: string[] = [];
    for (const { from, file, sha256 } of files) {
      const place = path.join(target, file);
      const hash = await download(`${endpoint}/${repository}/resolve/${sha}/${from}`, place, sha256, signal);
      lines.push(`${hash}  ${file}\n`);
      tell(file);
    }
    replaceFile(path.join(target, sums), lines.join(''));
    return success({ folder: target, repository, revision: sha, files: files.map(({ file }) => file) });
  } catch (error) {
    return failed({
      kind: 'not-fetched',
      message: `${repository} was not downloaded from ${endpoint}: ${reasonOf(error)}`,
      fix: `Without a network, ${howToExport(repository, target)}`,
    });
  }
}

/** The files of a folder that differ from the download. Undefined if nothing was downloaded. */
export async function changedWeights(folder: string): Promise<string[] | undefined> {
  const file = path.join(folder, sums);
  if (!existsSync(file)) return undefined;
  const changed: string[] = [];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [hash = '', name = ''] = line.split('  ');
    const place = path.join(folder, path.basename(name));
    if (!existsSync(place) || (await hashOf(place)) !== hash) changed.push(name);
  }
  return changed;
}

function notExported(repository: string, target: string) {
  return failed({
    kind: 'not-exported',
    message: `${repository} has no ONNX export`,
    fix: howToExport(repository, target),
  });
}

function howToExport(repository: string, target: string): string {
  return `export it on a machine with Python and the weights: pip install "optimum[onnxruntime]", then optimum-cli export onnx --model ${repository} --task text2text-generation ${target} (for a retriever: --task feature-extraction, and name the file encoder_model.onnx).`;
}

async function download(
  address: string,
  place: string,
  expected: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (expected !== undefined && existsSync(place) && (await hashOf(place)) === expected) return expected;
  const { body } = await get(address, signal);
  if (!body) throw new Error(`${address} is empty`);
  const draft = `${place}.part`;
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(undefined, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(body), hashing, createWriteStream(draft));
    const found = hash.digest('hex');
    if (expected !== undefined && found !== expected)
      throw new Error(`${address} has the hash ${found}, but the hub lists ${expected}`);
    renameSync(draft, place);
    return found;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function get(address: string, signal: AbortSignal | undefined): Promise<Response> {
  const response = await fetch(address, signal ? { signal } : {});
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The message `fetch failed` is useless; its cause is informative. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : messageOf(cause);
}
