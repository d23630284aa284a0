import { existsSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { UserError, codeOf } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { leanFilesBelow, sorriesIn } from '../../lean/goals/count-sorries.ts';
import { isPassedBy } from '../../lean/goals/sources.ts';
import { plainCode } from '../../lean/base/plain-code.ts';
import { lakefileIn, readPackage, toolchainOf } from '../../lean/project/lake.ts';
import { absentPackages, unresolvedImports } from '../../lean/project/project.ts';
import { wantedVersion } from '../../lean/project/version.ts';
import { gitFacts, type GitFacts } from './git-facts.ts';

/** A Lake project as its files describe it. Nothing was executed: the lakefile is read as text. */
export interface ProjectFacts {
  readonly folder: string;
  /** From the top of the repository, with `/`; empty at the top. */
  readonly place: string;
  readonly name: string;
  readonly lakefile: string;
  readonly libraries: readonly string[];
  /** From the nearest `lean-toolchain` in this folder or above, as elan reads it. */
  readonly toolchain: string | undefined;
  /** For example 4.28.0; undefined if the toolchain is not a release. */
  readonly version: string | undefined;
  readonly requires: readonly string[];
  /** Packages of the manifest (without one, required packages) that are not on this disk. */
  readonly absent: readonly string[];
  /** Imported modules that are neither Lean's nor on this disk. */
  readonly unresolved: readonly string[];
  readonly hasManifest: boolean;
  /** Whether the lakefile compiles native code: `precompileModules`, `extern_lib`, a custom target? */
  readonly hasNativeCode: boolean;
  readonly files: number;
  /** Files with a `sorry` or `admit`, found by text search. */
  readonly open: readonly { readonly file: string; readonly count: number }[];
  /** The folder that contains `blueprint`: the project's, or the top of the repository. */
  readonly blueprintIn: string | undefined;
}

export interface Survey {
  /** The top of the repository; without one, the folder itself. */
  readonly root: string;
  readonly git: GitFacts | undefined;
  readonly projects: readonly ProjectFacts[];
  /** Further Lake projects below the adopted ones, from the top. */
  readonly nested: readonly string[];
  /** Existing workflows, by file name. */
  readonly workflows: ReadonlyMap<string, string>;
}

/** Reads a folder and the repository around it. If the folder is not a Lake project, those in its subfolders count. */
export async function surveyFolder(given: string): Promise<Survey> {
  if (statSync(given, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError('no-such-folder', `${path.resolve(given)} is not a folder`);
  const folder = realpathSync(given);
  const git = await gitFacts(folder);
  const root = git?.root ?? folder;
  const found = lakeFolders(folder);
  const own = found.filter(
    (one) => !found.some((other) => other !== one && one.startsWith(other + path.sep)),
  );
  if (own.length === 0) throw noProject(folder, root);
  const nested = found.filter((one) => !own.includes(one));
  return {
    root,
    git,
    projects: own.map((one) => factsOf(one, root, nested)),
    nested: nested.map((one) => placeIn(root, one)),
    workflows: workflowsIn(root),
  };
}

function noProject(folder: string, root: string): UserError {
  for (let above = path.dirname(folder); above.startsWith(root); above = path.dirname(above))
    if (lakefileIn(above) !== undefined)
      return new UserError(
        'adopt-inside',
        `${folder} is part of the Lake project ${above}`,
        'Adopt that folder.',
      );
  return new UserError(
    'no-lake-project',
    `there is no lakefile.toml or lakefile.lean in ${folder} or below`,
    'orch init DIR creates a new project.',
  );
}

/** Folders with a lakefile. Packages fetched by Lake, submodules and the targets of links are not ours. */
function lakeFolders(folder: string, depth = 0): string[] {
  const here = lakefileIn(folder) === undefined ? [] : [folder];
  if (depth === 4) return here;
  const below = entriesIn(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !isPassedBy(entry.name))
    .map(({ name }) => path.join(folder, name))
    .filter((one) => !existsSync(path.join(one, '.git')))
    .toSorted();
  return [...here, ...below.flatMap((one) => lakeFolders(one, depth + 1))];
}

/** Unreadable folders are skipped. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

function factsOf(folder: string, root: string, nested: readonly string[]): ProjectFacts {
  const lakefile = lakefileIn(folder) ?? '';
  const found = readPackage(folder);
  if (!found) throw new Error(`${folder} had a lakefile a moment ago`);
  const hasManifest = existsSync(path.join(folder, 'lake-manifest.json'));
  const toolchain = toolchainAbove(folder, root);
  const files = leanFiles(folder, nested);
  const texts = files.map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
  return {
    folder,
    place: placeIn(root, folder),
    name: found.name || path.basename(folder),
    lakefile: path.basename(lakefile),
    libraries: found.libraries.filter(({ isProgram }) => !isProgram).map(({ name }) => name),
    toolchain,
    version: wantedVersion({ toolchain }),
    requires: found.requires,
    absent: hasManifest ? absentPackages(folder) : found.requires,
    unresolved: unresolvedImports(
      folder,
      texts.map(({ text }) => text),
    ),
    hasManifest,
    hasNativeCode: /\bprecompileModules\s*(?::=|=)\s*true|\bextern_lib\b|^\s*target\s/m.test(
      plainCode(readFileSync(lakefile, 'utf8')),
    ),
    files: files.length,
    open: texts.map(({ file, text }) => ({ file, count: sorriesIn(text) })).filter(({ count }) => count > 0),
    blueprintIn: [folder, root].find((place) =>
      ['web.tex', 'content.tex', 'print.tex'].some((name) => isFile(path.join(place, 'blueprint/src', name))),
    ),
  };
}

function toolchainAbove(folder: string, root: string): string | undefined {
  for (let above = folder; above.startsWith(root); above = path.dirname(above)) {
    const found = toolchainOf(above);
    if (found !== undefined || above === path.dirname(above)) return found;
  }
  return undefined;
}

/** The project's own Lean files, from its folder; those of packages and of projects inside it are left out. */
function leanFiles(folder: string, nested: readonly string[]): string[] {
  const isNested = (file: string): boolean =>
    nested.some((one) => path.join(folder, file).startsWith(one + path.sep));
  return leanFilesBelow(folder).filter((file) => !isNested(file));
}

function workflowsIn(root: string): Map<string, string> {
  const folder = path.join(root, '.github/workflows');
  if (!existsSync(folder) || !isInside(folder, root)) return new Map();
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  return new Map(
    names
      .filter((name) => isInside(path.join(folder, name), root) && isFile(path.join(folder, name)))
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

/** Editors lock a file with a dangling link. */
function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function placeIn(root: string, folder: string): string {
  return path.relative(root, folder).split(path.sep).join('/');
}
