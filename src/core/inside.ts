import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Whether a file is in the folder, with links resolved. A file that does not exist yet is where its nearest existing folder is. */
export function isInside(file: string, folder: string): boolean {
  let place = path.resolve(folder, file);
  while (!existsSync(place) && place !== path.dirname(place)) place = path.dirname(place);
  const way = path.relative(realpathSync(folder), realpathSync(place));
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
