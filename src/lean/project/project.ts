import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { readSmall } from '../../config/trust.ts';
import { UserError } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { readHeader } from '../base/header.ts';
import { hasModule, readPackage, toolchainOf, type LakeLibrary, type Package } from './lake.ts';
import { fileOf, isLibraryModule, moduleOf } from '../base/module-names.ts';
import type { Options } from '../base/options.ts';

/** Where a module is and how it is compiled. */
export interface SourceModule {
  readonly name: string;
  readonly file: string;
  readonly options: Options;
}

/** Files that import one another: a Lake package with the packages that it requires, or a plain folder. */
export class Project {
  /** Its folder, as the user named it. */
  readonly folder: string;
  /** The toolchain that it requires, if any. */
  readonly toolchain: string | undefined;
  /** Lake's manifest: an input of every build. */
  readonly manifest: string;
  /** It has a lakefile. */
  readonly isLake: boolean;
  readonly #own: readonly LakeLibrary[];
  readonly #required: readonly LakeLibrary[];
  readonly #libraries: readonly LakeLibrary[];
  readonly #folders: readonly string[];

  constructor(folder: string, own: Package | undefined, required: readonly Package[], manifest: string) {
    this.folder = folder;
    this.toolchain = own ? own.toolchain : toolchainOf(folder);
    this.manifest = manifest;
    this.isLake = own !== undefined;
    this.#own = own?.libraries ?? [
      { name: '', folder, roots: [''], globs: [], options: {}, isProgram: false },
    ];
    this.#required = required.flatMap(({ libraries }) => libraries);
    this.#libraries = [...this.#own, ...this.#required];
    this.#folders = [...new Set(this.#libraries.map((library) => library.folder))].filter((each) =>
      existsSync(each),
    );
  }

  /** Whether it belongs to a required package. */
  requires({ file }: SourceModule): boolean {
    return this.#required.some(({ folder }) => !path.relative(folder, file).startsWith('..'));
  }

  /** A module must be a plain file in one of the libraries: a link could lead to a device, or to a file that Lean's errors would quote. */
  refuseForeign({ name, file }: SourceModule): void {
    const isPlain = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (isPlain && [this.folder, ...this.#folders].some((folder) => isInside(file, folder))) return;
    throw new UserError(
      'link-out',
      `the module ${name} (${file}) is ${isPlain ? 'a link to a file outside its project' : 'not a plain file'}`,
      'Put a copy of the file in its place.',
    );
  }

  /** The module of this name, if one of the libraries has its file. */
  find(name: string): SourceModule | undefined {
    for (const library of this.#libraries) {
      if (library.name !== '' && !hasModule(library, name)) continue;
      const file = path.join(library.folder, fileOf(name, '.lean'));
      if (existsSync(file)) return { name, file, options: library.options };
    }
    return undefined;
  }

  /** The module of a file. A file outside all libraries is compiled like the first library's. */
  moduleAt(file: string): SourceModule {
    const whole = path.resolve(file);
    for (const library of this.#libraries) {
      const name = moduleOf(library.folder, whole);
      if (!name.startsWith('«..»') && (library.name === '' || hasModule(library, name)))
        return { name, file: whole, options: library.options };
    }
    return { name: moduleOf(this.folder, whole), file: whole, options: this.#own[0]?.options ?? {} };
  }

  /** What `lake build` would build: modules matching the libraries' globs, and their imports. */
  targets(): SourceModule[] {
    const found = this.#own.flatMap((library) =>
      library.name === '' ? below(library, '') : library.globs.flatMap((glob) => matching(library, glob)),
    );
    return [...new Map(found.map((module) => [module.name, module])).values()];
  }

  /** Every module in the libraries' folders, even if no glob lists it, because any module may import any other. */
  own(): SourceModule[] {
    const found = this.#own.flatMap((library) =>
      library.name === ''
        ? below(library, '')
        : library.roots.flatMap((root) => matching(library, `${root}.*`)),
    );
    return [...new Map([...this.targets(), ...found].map((module) => [module.name, module])).values()];
  }
}

function matching(library: LakeLibrary, glob: string): SourceModule[] {
  const root = glob.replace(/\.[*+]$/, '');
  const file = path.join(library.folder, fileOf(root, '.lean'));
  const own =
    glob.endsWith('.+') || !existsSync(file) ? [] : [{ name: root, file, options: library.options }];
  return glob === root ? own : [...own, ...below(library, fileOf(root, ''))];
}

function below({ folder, options }: LakeLibrary, part: string): SourceModule[] {
  return (
    globSync('**/*.lean', { cwd: path.join(folder, part), exclude: isForeign })
      .map((name) => path.join(folder, part, name))
      .filter((file) => path.basename(file) !== 'lakefile.lean')
      // editors lock a file with a dangling link
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      .toSorted()
      .map((file) => ({ name: moduleOf(folder, file), file, options }))
  );
}

function isForeign(name: string): boolean {
  return /(?:^|[/\\])(?:\.lake|lake-packages|node_modules|\.git|\.orch)$/.test(name);
}

/** The project of a file or folder. Lakefiles are read, not executed. */
export function findProject(start: string): Project {
  const isFolder = statSync(start, { throwIfNoEntry: false })?.isDirectory() === true;
  const from = path.resolve(isFolder ? start : path.dirname(start));
  for (let folder = from; ; folder = path.dirname(folder)) {
    const own = readPackage(folder);
    if (own) return lakeProject(folder, own);
    if (folder === path.dirname(folder)) break;
  }
  return new Project(isFolder ? from : plainRoot(start, from), undefined, [], '');
}

const Manifest = z.object({
  packagesDir: z.string().default('.lake/packages'),
  packages: z
    .array(
      z.object({
        type: z.string(),
        name: z.string(),
        dir: z.string().optional(),
        subDir: z.string().nullish(),
      }),
    )
    .default([]),
});

function lakeProject(folder: string, own: Package): Project {
  const required = requiredPackages(folder).flatMap(({ place, subDir }) => {
    // a path package may be anywhere
    const found = readPackage(path.resolve(folder, place, subDir));
    // a missing package is reported when a file asks for one of its modules
    return found ? [found] : [];
  });
  const texts = packageLists.map((name) => readSmall(path.join(folder, name))?.toString('utf8') ?? '');
  return new Project(folder, own, required, texts.join(''));
}

/** The files that say where packages are; an entry of the second one replaces the first one's of the same name, as in Lake. */
export const packageLists = ['lake-manifest.json', '.lake/package-overrides.json'] as const;

/** Folders of a project's required packages, relative to it. */
export function packagePlaces(folder: string): string[] {
  return requiredPackages(folder).map(({ place }) => place);
}

/** Packages of a project's manifest that are not on this disk, by name. */
export function absentPackages(folder: string): string[] {
  return packagePlaces(folder)
    .filter((place) => !existsSync(path.resolve(folder, place)))
    .map((place) => path.basename(place));
}

/** Modules that these texts import and that are neither Lean's nor on this disk. */
export function unresolvedImports(folder: string, texts: readonly string[]): string[] {
  const imported = new Set(texts.flatMap((text) => readHeader(text).imports.map(({ module }) => module)));
  const project = findProject(folder);
  return [...imported]
    .filter((module) => !isLibraryModule(module) && project.find(module) === undefined)
    .toSorted();
}

function requiredPackages(folder: string): { place: string; subDir: string }[] {
  const found = new Map<string, { place: string; subDir: string }>();
  for (const name of packageLists) {
    const { packages, packagesDir } = readManifest(path.join(folder, name));
    for (const { type, name: called, dir, subDir } of packages)
      found.set(called, {
        place: type === 'path' ? (dir ?? '') : path.join(packagesDir, called),
        subDir: subDir ?? '',
      });
  }
  return [...found.values()];
}

function readManifest(file: string): z.infer<typeof Manifest> {
  const text = readSmall(file)?.toString('utf8');
  if (text === undefined) return Manifest.parse({});
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new UserError('bad-manifest', `${file} cannot be read`, 'Run lake update to write it again.', {
      cause: error,
    });
  }
}

/** Without a lakefile: the nearest parent folder in which the file's imports resolve, else its own folder. */
function plainRoot(file: string, from: string): string {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const wanted = readHeader(text).imports.filter(({ module }) => !isLibraryModule(module));
  for (let folder = from; wanted.length > 0; folder = path.dirname(folder)) {
    if (wanted.some(({ module }) => existsSync(path.join(folder, fileOf(module, '.lean'))))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  return from;
}
