import { existsSync, globSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';

/** Folders of dependencies and tools. */
const passedBy = new Set(['.lake', 'lake-packages', 'node_modules', '.git', '.orch']);

/**
 * Expands paths: a file to itself, a folder to the Lean files below it, a pattern to its matches. Lakefiles are left out.
 */
export function filesOf(paths: readonly string[]): string[] {
  const files = paths.flatMap((given) => {
    const found = matching(given);
    if (found.length > 0) return found;
    throw new UserError(
      'no-files',
      existsSync(given) ? `there is no Lean file below ${given}` : `there is no file ${given}`,
      'Name a file (.lean, .jsonl, .json), a folder, or a pattern in quotes: "Project/**/*.lean".',
    );
  });
  return [...new Set(files)];
}

function matching(given: string): string[] {
  const entry = statSync(given, { throwIfNoEntry: false });
  if (entry?.isDirectory()) return leanFiles(given);
  if (entry) return [given];
  return /[*?[{]/.test(given) ? globSync(given, { exclude: isPassedBy }).toSorted() : [];
}

function leanFiles(folder: string): string[] {
  return globSync('**/*.lean', { cwd: folder, exclude: isPassedBy })
    .filter((file) => path.basename(file) !== 'lakefile.lean')
    .toSorted()
    .map((file) => withinFolder(folder, folder === '.' ? file : path.join(folder, file)));
}

/** A checkout may link to a file outside it, which Lean's errors would quote. */
function withinFolder(folder: string, file: string): string {
  const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (isPlain && isInside(path.resolve(file), folder)) return file;
  throw new UserError(
    'link-out',
    `${file} is ${isPlain ? `a link to a file outside ${folder}` : 'not a plain file'}`,
    'Remove it, or name the file itself if you want to include it.',
  );
}

/** Refuses a file that has become a link out of the folder in which it was found. */
export function refuseLinkOut(named: readonly string[], file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  const folders = named.filter((one) => statSync(one, { throwIfNoEntry: false })?.isDirectory());
  const folder = folders.find((one) => !path.relative(one, file).startsWith('..'));
  if (folder !== undefined && !named.includes(file)) withinFolder(folder, file);
}

/** A folder of dependencies or tools. */
export function isPassedBy(name: string): boolean {
  return passedBy.has(path.basename(name));
}
