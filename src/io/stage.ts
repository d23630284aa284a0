import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolders } from '../core/folders.ts';
import { UserError, codeOf, messageOf } from '../core/errors.ts';
import { withFileLock } from './file-lock.ts';
import { sha256 } from '../core/sha256.ts';

/** A folder of files built once from known inputs; `key` identifies the inputs. */
export interface BuildStage {
  readonly name: string;
  readonly key: string;
  /** Disk space needed during the build; with less, it is not started. */
  readonly bytes?: number;
  build(folder: string): Promise<void>;
}

interface Manifest {
  readonly key: string;
  readonly files: Readonly<Record<string, { sha256: string; size: number; mtimeMs: number }>>;
}

const diskFullHint =
  'Free 2 GB (orch lean clean --old removes what is outdated), or set ORCH_CACHE_DIR to another disk.';
const manifestName = 'manifest.json';

/**
 * The folder of a stage, built if it is missing or damaged. It is built in a temporary folder and renamed, so it is complete or absent. Concurrent processes build it once. An interrupted build leaves a temporary folder that the next one removes.
 */
export async function ensureStage(root: string, stage: BuildStage): Promise<string> {
  try {
    return await buildOnce(root, stage);
  } catch (error) {
    throw diskError(root, error) ?? error;
  }
}

/** Turns a full or read-only disk into a clear error. */
function diskError(root: string, error: unknown): UserError | undefined {
  const isFolder = error instanceof UserError && error.code === 'unwritable';
  const cause = isFolder ? error.cause : error;
  const [code, message] = [codeOf(cause), messageOf(cause)];
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UserError(
      'disk-full',
      `the disk is full: nothing more can be written to ${root}`,
      diskFullHint,
      { cause },
    );
  if (isFolder || code === 'EROFS' || code === 'EACCES' || code === 'EPERM' || code === 'ENOTDIR')
    return new UserError(
      'cache-unusable',
      `the cache folder ${root} cannot be written (${message})`,
      'Set ORCH_CACHE_DIR to a folder that you may write.',
      { cause },
    );
  return undefined;
}

async function refuseSmallDisk(root: string, { name, bytes = 0 }: BuildStage): Promise<void> {
  const { bavail, bsize } = await statfs(root);
  if (bavail * bsize >= bytes) return;
  const [free, needed] = [bavail * bsize, bytes].map((size) => Math.round(size / 1e6));
  throw new UserError(
    'disk-full',
    `the disk is too full: ${name} needs ${needed} MB in ${root}, where ${free} MB are free`,
    diskFullHint,
  );
}

async function buildOnce(root: string, stage: BuildStage): Promise<string> {
  const folder = stageFolder(root, stage);
  if (await isIntact(folder, stage.key)) {
    await markUsed(folder);
    return folder;
  }
  makeFolders(root, 0o700);
  await refuseSmallDisk(root, stage);
  return await withFileLock(`${folder}.lock`, async () => {
    if (await isIntact(folder, stage.key)) return folder;
    await removeStage(root, stage);
    const work = `${folder}.new-${randomBytes(4).toString('hex')}`;
    try {
      await mkdir(work, { mode: 0o700 });
      await stage.build(work);
      await writeManifest(work, stage.key);
      await rename(work, folder).catch(async (error: unknown) => {
        // another process considered our lock abandoned and finished first
        if (!(await isIntact(folder, stage.key))) throw error;
      });
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    return folder;
  });
}

/** The folder's time is that of the stage's last use (stage-trim.ts). */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
}

/** The full check, by checksum: after a worker failed to start. A damaged stage is removed and will be rebuilt. */
export async function removeIfDamaged(root: string, stage: BuildStage): Promise<boolean> {
  const folder = stageFolder(root, stage);
  const manifest = await readManifest(folder);
  if (manifest && (await checksumsMatch(folder, manifest))) return false;
  await removeStage(root, stage);
  return true;
}

export function stageFolder(root: string, stage: BuildStage): string {
  const digest = sha256(stage.key).slice(0, 16);
  return path.join(root, `${stage.name}-${digest}`);
}

async function removeStage(root: string, stage: BuildStage): Promise<void> {
  const folder = stageFolder(root, stage);
  await rm(folder, { recursive: true, force: true });
  // the whole cache folder may be deleted at any time
  for (const name of await readdir(root).catch(() => [])) {
    if (name.startsWith(`${path.basename(folder)}.new-`))
      await rm(path.join(root, name), { recursive: true, force: true });
  }
}

/**
 * The quick check, at every start: inputs, owner, modes, and each file's size and time. A folder that others can write to, or a link, counts as forged and is rebuilt.
 */
export async function isIntact(folder: string, key?: string): Promise<boolean> {
  const manifest = await readManifest(folder);
  if (!manifest || (key !== undefined && manifest.key !== key)) return false;
  if (!isOurs(await lstat(folder), 0o077) || Object.keys(manifest.files).length === 0) return false;
  for (const [name, expected] of Object.entries(manifest.files)) {
    const actual = await lstat(path.join(folder, name)).catch(() => undefined);
    if (!actual?.isFile() || !isOurs(actual, 0o022)) return false;
    if (actual.size !== expected.size || actual.mtimeMs !== expected.mtimeMs) return false;
  }
  return true;
}

function isOurs({ mode, uid }: Stats, forbidden: number): boolean {
  return (mode & forbidden) === 0 && (process.getuid === undefined || uid === process.getuid());
}

async function checksumsMatch(folder: string, manifest: Manifest): Promise<boolean> {
  for (const [name, expected] of Object.entries(manifest.files)) {
    const actual = await hashBytes(path.join(folder, name)).catch(() => undefined);
    if (actual !== expected.sha256) return false;
  }
  return true;
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(path.join(folder, manifestName), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

async function writeManifest(folder: string, key: string): Promise<void> {
  const files: Record<string, { sha256: string; size: number; mtimeMs: number }> = {};
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name);
    const found = await stat(file);
    await chmod(file, found.isDirectory() ? 0o700 : 0o600);
    if (found.isFile())
      files[name] = { sha256: await hashBytes(file), size: found.size, mtimeMs: found.mtimeMs };
  }
  await chmod(folder, 0o700);
  await writeFile(path.join(folder, manifestName), JSON.stringify({ key, files } satisfies Manifest), {
    mode: 0o600,
  });
}

export async function hashBytes(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
