import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Desk } from './tool.ts';

/** The arguments of a call that identify its project. */
interface Hints {
  readonly project?: unknown;
  readonly file_path?: unknown;
}

/** The project of a call: the one it names, or the one that has its file. A server with one project needs no hint. */
export function deskOf(desks: readonly Desk[], { project, file_path: file }: Hints): Desk {
  const [first, ...others] = desks;
  if (!first) throw new Error('a server has at least one project');
  if (typeof project === 'string') return deskNamed(desks, project);
  if (others.length === 0) return first;
  const names = desks.map(({ name }) => name).join(', ');
  if (typeof file !== 'string')
    throw new UserError('which-project', `this server has several projects: ${names}`, 'Add `project`.');
  const having = path.isAbsolute(file)
    ? desks.filter(({ files }) => isBelow(files.folder, file))
    : desks.filter(({ files }) => existsSync(path.join(files.folder, file)));
  // of two nested folders, the inner one
  const [found, ...more] = having.toSorted((a, b) => b.files.folder.length - a.files.folder.length);
  if (!found) throw new UserError('no-file', `none of the projects has ${file} (${names})`);
  if (more.length > 0 && !path.isAbsolute(file))
    throw new UserError(
      'which-project',
      `${having.map(({ name }) => name).join(' and ')} have ${file}`,
      'Add `project`.',
    );
  return found;
}

function deskNamed(desks: readonly Desk[], wanted: string): Desk {
  const found =
    desks.find(({ name }) => name === wanted) ??
    desks.find(({ files }) => path.isAbsolute(wanted) && real(wanted) === files.folder);
  if (found) return found;
  const names = desks.map(({ name }) => name).join(', ');
  throw new UserError('no-project', `there is no project ${wanted}`, `This server has: ${names}.`);
}

function isBelow(folder: string, file: string): boolean {
  return real(file).startsWith(`${folder}${path.sep}`);
}

function real(file: string): string {
  return existsSync(file) ? realpathSync(file) : path.resolve(file);
}
