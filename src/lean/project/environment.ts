import path from 'node:path';
import { graphOf } from './graph.ts';
import { isLibraryModule } from '../base/module-names.ts';
import { readHeader } from '../base/header.ts';
import { sortedOptions, type Options } from '../base/options.ts';
import { findProject } from './project.ts';

/**
 * The dependencies of a text: the modules that it imports, the options of its project, and that project. Goals
 * with equal environments share workers.
 */
export interface LeanEnvironment {
  /** As written, sorted, without `Init`, which is always there. */
  readonly imports: readonly string[];
  readonly options: Options;
  /** The project folder; null if only Lean's library is used. */
  readonly project: string | null;
  /** Restricts the library to these modules and their imports. */
  readonly only?: true;
}

/** An environment of some library modules, without anything built on them. */
export function onlyModules(imports: readonly string[]): LeanEnvironment {
  const named = [...new Set(imports)].filter((name) => name !== 'Init').toSorted();
  return { imports: named, options: {}, project: null, only: true };
}

/** The environment of a text that belongs to no project. */
export function environmentOf(text: string): LeanEnvironment {
  return { imports: importsOf(text), options: {}, project: null };
}

/** The environment of a file: its folder leads to its project. */
export function environmentOfFile(file: string, text: string): LeanEnvironment {
  const imports = importsOf(text);
  const project = findProject(path.resolve(file));
  const { options } = project.moduleAt(file);
  const stands = imports.some((name) => !isLibraryModule(name)) || Object.keys(options).length > 0;
  return { imports, options, project: stands ? project.folder : null };
}

/** The environment of a text that belongs to a project but is not one of its files; `imports` are added to its own. */
export function environmentIn(
  folder: string | undefined,
  imports: readonly string[],
  text: string,
): LeanEnvironment {
  const all = [...new Set([...imports, ...importsOf(text)])].toSorted();
  if (folder === undefined) return { imports: all, options: {}, project: null };
  const project = findProject(path.resolve(folder));
  const { options } = project.moduleAt(path.join(project.folder, 'text.lean'));
  const stands = all.some((name) => !isLibraryModule(name)) || Object.keys(options).length > 0;
  return { imports: all, options, project: stands ? project.folder : null };
}

/** Equal for equal environments. */
export function environmentKey({ imports, options, project, only }: LeanEnvironment): string {
  return JSON.stringify([imports, sortedOptions(options), project, ...(only ? ['only'] : [])]);
}

function importsOf(text: string): string[] {
  const names = readHeader(text).imports.map(({ module }) => module);
  return [...new Set(names)].filter((name) => name !== 'Init' && !name.startsWith('Init.')).toSorted();
}

/**
 * The modules of Lean's own library that an environment needs, including those that its project's modules
 * import.
 */
export function libraryOf({ imports, project: folder }: LeanEnvironment): string[] {
  const library = imports.filter((name) => isLibraryModule(name));
  if (folder === null) return library;
  const project = findProject(folder);
  const targets = imports.flatMap((name) => (isLibraryModule(name) ? [] : (project.find(name) ?? [])));
  return [...library, ...graphOf(project, targets).library];
}
