import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { markUsed } from '../../io/stage.ts';

const prefix = 'build-';
/** No module is compiled for this long, and a build marks its folder whenever it begins one. */
const deadMs = 3_600_000;

/**
 * A folder for the modules that a build has so far, until it ends. One that is killed leaves its folder behind, with links that would keep
 * the files of modules on disk after they have left the cache: the next build takes it away.
 */
export async function openBuildFolder(cacheFolder: string, now: number): Promise<string> {
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(cacheFolder, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && now - found.mtimeMs > deadMs) await rm(folder, { recursive: true, force: true });
  }
  return await mkdtemp(path.join(cacheFolder, prefix));
}

/** The build is still at work. */
export const markBuild = markUsed;
