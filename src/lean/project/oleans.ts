import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { CompiledModule } from './declarations.ts';
import type { GraphModule, ModuleGraph } from './graph.ts';
import { fileOf } from '../base/module-names.ts';

/** A module that Lake has not compiled since its file last changed. */
export interface LackingModule {
  readonly name: string;
  readonly why: 'is not built' | 'has changed since it was built';
}

/** Output folders of different Lake versions. */
const buildFolders = ['.lake/build/lib/lean', '.lake/build/lib', 'build/lib'];

/** Modules without up-to-date build output, in build order. */
export function lackingModules({ order }: ModuleGraph): LackingModule[] {
  return order.flatMap((module) => {
    const why = lackOf(module);
    return why === undefined ? [] : [{ name: module.name, why }];
  });
}

/** Lake's build output for some modules. */
export function nativeModules({ order }: ModuleGraph): CompiledModule[] {
  return order.flatMap((module) => {
    const ilean = compiledFile(module, '.ilean');
    return ilean === undefined ? [] : [{ file: module.file, ilean }];
  });
}

function lackOf(module: GraphModule): LackingModule['why'] | undefined {
  const { file } = module;
  const compiled = compiledFile(module, '.olean');
  if (compiled === undefined) return 'is not built';
  // times mean nothing in packages: files are as old as the checkout, and build output often comes from a cache
  const isOthers = /[/\\](?:\.lake[/\\]packages|lake-packages)[/\\]/.test(file);
  const isOlder = statSync(compiled).mtimeMs < statSync(file).mtimeMs;
  return isOlder && !isOthers ? 'has changed since it was built' : undefined;
}

function compiledFile({ name, file }: GraphModule, extension: string): string | undefined {
  const folder = packageFolder(file);
  return buildFolders
    .map((place) => path.join(folder, place, fileOf(name, extension)))
    .find((place) => existsSync(place));
}

function packageFolder(file: string): string {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const isPackage = ['lakefile.toml', 'lakefile.lean'].some((name) => existsSync(path.join(folder, name)));
    if (isPackage || folder === path.dirname(folder)) return folder;
  }
}
