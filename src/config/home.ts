import os from 'node:os';
import path from 'node:path';

/**
 * The user's home folder; always absolute, so nothing of the user's ends up in a checkout. `HOME` may be unset, empty or
 * relative, and in a container the user may have no entry in the password file: then it is `/`, as Docker says.
 */
export function homeFolder(): string {
  for (const read of [() => os.homedir(), () => os.userInfo().homedir]) {
    try {
      const folder = read();
      if (path.isAbsolute(folder)) return folder;
    } catch {
      // no such user
    }
  }
  return '/';
}

/** Where the user's programs keep what can be deleted. The XDG standard says to ignore a relative path. */
export function userCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: given = '' } = environment;
  return path.isAbsolute(given) ? given : path.join(homeFolder(), '.cache');
}
