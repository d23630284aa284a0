import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { entriesOf, isHarmlessEntry, type ConfigEntry } from './git-config.ts';

/**
 * A remote can be a folder of this machine. Git then starts the other side itself, with the configuration and the
 * hooks of the repository there, and without what we overrule. A checkout could bring such a repository along.
 */
export async function remotesWithPrograms(
  entries: readonly ConfigEntry[],
  top: string,
  listOf: (file: string) => Promise<string | undefined>,
): Promise<string[]> {
  const found: string[] = [];
  for (const { key, value } of entries) {
    const folder = /^remote\..*url$/.test(key) ? folderOf(value, top) : undefined;
    if (folder !== undefined && (await startsPrograms(folder, listOf))) found.push(`${key} to ${folder}`);
  }
  return found;
}

/** Remotes in files of an early git version, which no listing shows. */
export function unlistedRemotes(common: string): string[] {
  return ['remotes', 'branches'].flatMap((kind) => {
    const folder = path.join(common, kind);
    return existsSync(folder) ? readdirSync(folder).map((name) => `${kind}/${name}`) : [];
  });
}

const fileScheme = 'file://';

/** The folder that an address leads to; undefined for an address of another machine. */
function folderOf(address: string, top: string): string | undefined {
  const place = address.startsWith(fileScheme) ? decoded(address.slice(fileScheme.length)) : address;
  // a colon before any slash belongs to a protocol or follows a host
  return /^[^/]*:/.test(place) ? undefined : path.resolve(top, place);
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Like git, looks for the repository in the folder, in its `.git` folder, and with `.git` after its name. */
async function startsPrograms(
  folder: string,
  listOf: (file: string) => Promise<string | undefined>,
): Promise<boolean> {
  // a home folder
  if (path.basename(folder).startsWith('~') || folder.includes('/~')) return true;
  for (const place of [folder, `${folder}.git`].flatMap((one) => [one, path.join(one, '.git')])) {
    const found = statSync(place, { throwIfNoEntry: false });
    if (found?.isFile() === true && path.basename(place) === '.git') return true; // it leads elsewhere
    if (found?.isDirectory() !== true || !existsSync(path.join(place, 'HEAD'))) continue;
    if (['commondir', 'config.worktree'].some((name) => existsSync(path.join(place, name)))) return true;
    const config = path.join(place, 'config');
    const listed = existsSync(config) ? await listOf(config) : '';
    if (listed === undefined || hasHooks(place)) return true;
    if (!entriesOf(listed.split('\0').slice(0, -1)).every(isFine)) return true;
  }
  return false;
}

/** Nothing is overruled there, and included files are not listed. */
function isFine({ key, value }: ConfigEntry): boolean {
  return isHarmlessEntry(key, value) && !/^(?:core\.(?:fsmonitor|hookspath)|include\.path)$/.test(key);
}

function hasHooks(repository: string): boolean {
  const hooks = path.join(repository, 'hooks');
  return existsSync(hooks) && readdirSync(hooks).some((name) => !name.endsWith('.sample'));
}
