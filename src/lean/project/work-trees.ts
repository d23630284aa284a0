import { existsSync } from 'node:fs';
import { cp, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { findProject } from './project.ts';

/** Temporary work trees of this process, by the folder that each was made from. */
const homes = new Map<string, string>();

/** Notes where a work tree comes from, until the result is disposed of. */
export function noteWorkTree(tree: string, home: string): Disposable {
  homes.set(tree, home);
  return { [Symbol.dispose]: () => void homes.delete(tree) };
}

/** The same folder in the checkout that a work tree was made from. */
export function homeOf(folder: string): string | undefined {
  for (const [tree, home] of homes) {
    const place = path.relative(tree, folder);
    if (!place.startsWith('..') && !path.isAbsolute(place)) return path.join(home, place);
  }
  return undefined;
}

/** Documentation is large, and no module needs it. */
const unneeded = new Set(['doc', 'doc-data'].map((name) => path.join('build', name)));

/**
 * Copies what Lake has built, so that Lake only compiles what differs in the work tree. Copies, not links: Lake may write
 * into existing files.
 */
export async function copyBuild(home: string, folder: string): Promise<void> {
  const [from, to] = [path.join(home, '.lake'), path.join(folder, '.lake')];
  makeFolders(to);
  // build output must not end up in a commit, even if the project ignores less
  await writeFile(path.join(to, '.gitignore'), '*\n');
  for (const part of ['build', 'config'])
    if (existsSync(path.join(from, part)))
      await cp(path.join(from, part), path.join(to, part), {
        recursive: true,
        preserveTimestamps: true,
        filter: (file) => !unneeded.has(path.relative(from, file)),
      });
  await alignTimes(home, folder);
}

/** Git gives every file the time of the checkout; an unchanged file must not look newer than its build output. */
async function alignTimes(home: string, folder: string): Promise<void> {
  for (const { file } of findProject(folder).own()) {
    const original = path.join(home, path.relative(folder, file));
    if (!existsSync(original)) continue;
    const [ours, theirs] = await Promise.all([readFile(file), readFile(original)]);
    if (!ours.equals(theirs)) continue;
    const { atime, mtime } = await stat(original);
    await utimes(file, atime, mtime);
  }
}
