import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

interface Kept {
  readonly folder: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/** Stages used within this time may be in use now, also by another process. */
const inUseMs = 3_600_000;

/**
 * Remove the least recently used stages until the rest fits a bound. A stage is a folder with a manifest; its modification time is its last use. Stages that may be in use stay, even above the bound.
 */
export async function trimStages(roots: readonly string[], maxBytes: number, now: number): Promise<string[]> {
  return (await trim(roots, maxBytes, now)).removed;
}

/** Remove the least recently used stages until this many more bytes fit a bound; false if they do not fit even then. */
export async function makeRoom(
  roots: readonly string[],
  wanted: number,
  maxBytes: number,
  now: number,
): Promise<boolean> {
  const { bytes } = await trim(roots, maxBytes - wanted, now);
  return bytes + wanted <= maxBytes;
}

async function trim(
  roots: readonly string[],
  maxBytes: number,
  now: number,
): Promise<{ readonly removed: string[]; readonly bytes: number }> {
  const all = (await Promise.all(roots.map(stagesIn))).flat();
  let bytes = all.reduce((sum, stage) => sum + stage.bytes, 0);
  const removed: string[] = [];
  for (const stage of all.toSorted((first, second) => first.usedAt - second.usedAt)) {
    if (bytes <= maxBytes || now - stage.usedAt < inUseMs) break;
    await rm(stage.folder, { recursive: true, force: true });
    removed.push(stage.folder);
    bytes -= stage.bytes;
  }
  return { removed, bytes };
}

async function stagesIn(root: string): Promise<Kept[]> {
  const names = await readdir(root).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const folder = path.join(root, name);
      const manifest = await stat(path.join(folder, 'manifest.json')).catch(() => undefined);
      const own = await stat(folder).catch(() => undefined);
      if (!manifest || !own) return [];
      return [{ folder, bytes: await bytesIn(folder), usedAt: own.mtimeMs }];
    }),
  );
  return found.flat();
}

/** Files with several names are counted once. */
async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      return found?.isFile() ? found.size / found.nlink : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
