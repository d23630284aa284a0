import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { markUsed } from '../../io/stage.ts';

const prefix = 'build-';
/** Longer than any compilation; a build touches its folder before each module. */
const deadMs = 3_600_000;

/**
 * A temporary folder for the modules that a build has completed. A killed build leaves its folder behind, with
 * links that keep evicted files on disk; the next build removes it.
 */
export async function openBuildFolder(cacheFolder: string, now: number): Promise<string> {
  makeFolders(cacheFolder, 0o700);
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(cacheFolder, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && now - found.mtimeMs > deadMs) await rm(folder, { recursive: true, force: true });
  }
  return await mkdtemp(path.join(cacheFolder, prefix));
}

/** The build is still running. */
export const markBuild = markUsed;
