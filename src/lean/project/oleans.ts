import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GraphModule, ModuleGraph } from './graph.ts';
import { fileOf } from './names.ts';

/** A module that Lake has not compiled, or not since its file was changed. */
export interface LackingModule {
  readonly name: string;
  readonly why: 'is not built' | 'has changed since it was built';
}

/** Where versions of Lake have put what they compile. */
const buildFolders = ['.lake/build/lib/lean', '.lake/build/lib', 'build/lib'];

/** Modules that a native Lean could not import as their files are now, in the order in which Lake would build them. */
export function lackingModules({ order }: ModuleGraph): LackingModule[] {
  return order.flatMap((module) => {
    const why = lackOf(module);
    return why === undefined ? [] : [{ name: module.name, why }];
  });
}

function lackOf({ name, file }: GraphModule): LackingModule['why'] | undefined {
  const folder = packageFolder(file);
  const compiled = buildFolders
    .map((place) => path.join(folder, place, fileOf(name, '.olean')))
    .find((place) => existsSync(place));
  if (compiled === undefined) return 'is not built';
  // the files of packages are as old as their checkout, and often came compiled from a cache
  const isOthers = /[/\\](?:\.lake[/\\]packages|lake-packages)[/\\]/.test(file);
  const isOlder = statSync(compiled).mtimeMs < statSync(file).mtimeMs;
  return isOlder && !isOthers ? 'has changed since it was built' : undefined;
}

function packageFolder(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const isPackage = ['lakefile.toml', 'lakefile.lean'].some((name) => existsSync(path.join(folder, name)));
    if (isPackage || folder === path.dirname(folder)) return folder;
  }
}
