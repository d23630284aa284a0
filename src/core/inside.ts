import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Is this file in the folder, links followed? A file that is yet to be made is where its nearest folder is. */
export function isInside(file: string, folder: string): boolean {
  let place = path.resolve(folder, file);
  while (!existsSync(place) && place !== path.dirname(place)) place = path.dirname(place);
  const way = path.relative(realpathSync(folder), realpathSync(place));
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}
