import { statSync } from 'node:fs';
import path from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import * as z from 'zod';
import { readSmall } from '../../config/trust.ts';
import { UserError } from '../../core/errors.ts';
import { declarationsOf } from './lakefile-lean.ts';
import { moduleNameParts } from '../base/module-names.ts';
import { valueOf, type Options, type OptionValue } from '../base/options.ts';

/** A library of a package: its source folder, its modules and their compile options. */
export interface LakeLibrary {
  readonly name: string;
  /** The source folder, to which module names are relative. */
  readonly folder: string;
  /** A module belongs to the library when its name begins with one of these. */
  readonly roots: readonly string[];
  /** The modules that `lake build` would build: modules, `A.+` (below A), `A.*` (A and below). */
  readonly globs: readonly string[];
  readonly options: Options;
  /** An executable: its root is its only module. */
  readonly isProgram: boolean;
}

/** A Lake package as its files describe it, without executing any of them. */
export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly libraries: readonly LakeLibrary[];
  /** `leanprover/lean4:v4.28.0`, as `lean-toolchain` says. */
  readonly toolchain: string | undefined;
  /** The packages that its lakefile requires, by name. */
  readonly requires: readonly string[];
}

const Value = z.union([z.string(), z.number(), z.boolean()]);
const Names = z.union([z.string().transform((name) => [name]), z.array(z.string())]);
const Settings = z.object({
  leanOptions: z.record(z.string(), z.unknown()).default({}),
  moreLeanArgs: z.array(z.string()).default([]),
});
const Lakefile = Settings.extend({
  name: z.string().default(''),
  srcDir: z.string().default('.'),
  lean_lib: z
    .array(
      Settings.extend({
        name: z.string(),
        srcDir: z.string().default('.'),
        roots: Names.optional(),
        globs: Names.optional(),
      }),
    )
    .default([]),
  lean_exe: z
    .array(z.object({ name: z.string(), root: z.string().optional(), srcDir: z.string().default('.') }))
    .default([]),
  require: z.array(z.object({ name: z.string() })).default([]),
});
export type Lakefile = z.input<typeof Lakefile>;

/** The package in a folder; undefined without a lakefile. */
export function readPackage(folder: string): Package | undefined {
  const file = lakefileIn(folder);
  if (file === undefined) return undefined;
  const raw = file.endsWith('.toml') ? parsed(file) : declarationsOf(textOf(file));
  return packageOf(folder, raw, file);
}

/** The name of the Lake package around a folder; undefined if there is none or it cannot be read. */
export function projectName(folder: string): string | undefined {
  for (let above = path.resolve(folder); ; above = path.dirname(above)) {
    if (lakefileIn(above) !== undefined) return nameOf(above);
    if (above === path.dirname(above)) return undefined;
  }
}

function nameOf(folder: string): string | undefined {
  try {
    return readPackage(folder)?.name || undefined;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The lakefile of a folder. If both kinds exist, orch reads `lakefile.lean`, as Lake does. */
export function lakefileIn(folder: string): string | undefined {
  return ['lakefile.lean', 'lakefile.toml']
    .map((name) => path.join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

function packageOf(folder: string, raw: unknown, file: string): Package {
  const read = Lakefile.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw unreadable(file, `"${issue?.path.join('.') ?? ''}" ${issue?.message ?? ''}`);
  }
  const { name, srcDir, lean_lib, lean_exe, require, ...settings } = read.data;
  const options = optionsOf(settings);
  const source = path.join(folder, srcDir);
  const libraries = lean_lib.map((library): LakeLibrary => {
    const roots = library.roots ?? [library.name];
    return {
      name: library.name,
      folder: path.join(source, library.srcDir),
      roots,
      globs: library.globs ?? roots,
      options: { ...options, ...optionsOf(library) },
      isProgram: false,
    };
  });
  const programs = lean_exe.map((program): LakeLibrary => {
    const root = program.root ?? program.name;
    return {
      name: program.name,
      folder: path.join(source, program.srcDir),
      roots: [root],
      globs: [root],
      options,
      isProgram: true,
    };
  });
  const all = [...libraries, ...programs];
  return {
    name,
    folder,
    // a package without libraries has one library with the package's name
    libraries:
      all.length > 0
        ? all
        : [
            {
              name,
              folder: source,
              roots: [capital(name)],
              globs: [capital(name)],
              options,
              isProgram: false,
            },
          ],
    toolchain: toolchainOf(folder),
    requires: require.map((one) => one.name),
  };
}

export function toolchainOf(folder: string): string | undefined {
  return readSmall(path.join(folder, 'lean-toolchain'))?.toString('utf8').trim();
}

/** Options by their names as written, `weak.` included. */
function optionsOf({ leanOptions, moreLeanArgs }: z.infer<typeof Settings>): Options {
  const options: Record<string, OptionValue> = {};
  const add = (name: string, value: unknown): void => {
    const read = Value.safeParse(value);
    if (read.success) options[name] = read.data;
    else if (typeof value === 'object' && value !== null)
      for (const [part, inner] of Object.entries(value)) add(`${name}.${part}`, inner);
  };
  for (const [name, value] of Object.entries(leanOptions)) add(name, value);
  for (const [, name = '', value = ''] of moreLeanArgs.join(' ').matchAll(/-D\s*([\w.]+)=(\S+)/g))
    options[name] = valueOf(value);
  return options;
}

/** Whether a library has a module of this name. */
export function hasModule({ roots, globs }: LakeLibrary, module: string): boolean {
  return [...roots, ...globs.map((glob) => glob.replace(/\.[*+]$/, ''))].some((root) =>
    isBelow(root, module),
  );
}

function isBelow(root: string, module: string): boolean {
  const [above, parts] = [moduleNameParts(root), moduleNameParts(module)];
  return above.every((part, index) => part === parts[index]);
}

function capital(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase());
}

function parsed(file: string): unknown {
  try {
    return parseToml(textOf(file).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof TomlError)
      throw unreadable(file, `line ${error.line}: ${error.message.split('\n')[0]}`);
    throw error;
  }
}

function textOf(file: string): string {
  return readSmall(file)?.toString('utf8') ?? '';
}

function unreadable(file: string, what: string): UserError {
  return new UserError('bad-lakefile', `${file}: ${what}`, 'lake build would refuse it too.');
}
