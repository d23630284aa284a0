import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { filesOf } from '../../lean/goals/sources.ts';
import { readTextFile } from '../../io/text-file.ts';
import { sha256 } from '../../core/sha256.ts';

/** A snapshot of a file. */
export interface FileView {
  /** Whole. */
  readonly file: string;
  /** Relative to the project, as in answers. */
  readonly name: string;
  readonly text: string;
  readonly version: string;
}

/** The Lean files of one folder. Requests for files outside it are refused. */
export class ProjectFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = realpathSync(folder);
  }

  /** Absolute, or relative to the project. */
  read(given: string): FileView {
    const file = path.resolve(this.folder, given);
    if (!existsSync(file)) throw new UserError('no-file', `there is no file ${given}`);
    const real = realpathSync(file);
    if (!real.startsWith(`${this.folder}${path.sep}`) || !real.endsWith('.lean'))
      throw new UserError('foreign-file', `${given} is not a Lean file of ${this.folder}`);
    const text = readTextFile(real);
    return { file: real, name: path.relative(this.folder, real), text, version: versionOf(text) };
  }

  all(): FileView[] {
    if (!existsSync(this.folder)) return [];
    return filesOf([this.folder])
      .filter((file) => file.endsWith('.lean') && path.basename(file) !== 'lakefile.lean')
      .map((file) => this.read(file));
  }

  /** Whether the file has changed since: then an answer about it is outdated. */
  isStale({ file, version }: FileView): boolean {
    return !existsSync(file) || versionOf(readTextFile(file)) !== version;
  }
}

/** The fields of an answer that name the file it is about. */
export function about({ name, version }: FileView, stale: boolean): object {
  return { file: name, version, stale };
}

function versionOf(text: string): string {
  return sha256(text).slice(0, 16);
}
