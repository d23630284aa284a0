import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../config/package.ts';
import { sha256 } from '../../core/sha256.ts';

/** A module of our Lean sources: a file below `lean/`. */
export interface WorkerModule {
  readonly name: string;
  readonly text: string;
  /** Our own modules that it imports. */
  readonly imports: readonly string[];
}

/** The module with `main`. */
export const rootModule = 'Worker';
const importLine = /^import .*$/gm;
const ownImport = /^import (Worker\.\S+)$/gm;

export function readModule(name: string): string {
  return readFileSync(path.join(packageRoot, 'lean', `${name.replaceAll('.', '/')}.lean`), 'utf8');
}

/** A module of the worker (by default the root) with its imports among our modules, dependencies first. */
export function workerModules(root = rootModule): WorkerModule[] {
  const found = new Map<string, WorkerModule>();
  const collect = (name: string): void => {
    if (found.has(name)) return;
    const text = readModule(name);
    const imports = [...text.matchAll(ownImport)].map(([, imported = '']) => imported);
    for (const imported of imports) collect(imported);
    found.set(name, { name, text, imports });
  };
  collect(root);
  return [...found.values()];
}

/** A hash per module of everything it is compiled from: its source, the compiling Lean, and its imports. */
export function moduleHashes(modules: readonly WorkerModule[], compiler: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const { name, text, imports } of modules) {
    const parts = [compiler, name, text, imports.map((imported) => hashes.get(imported))];
    hashes.set(name, sha256(JSON.stringify(parts)));
  }
  return hashes;
}

/** The modules joined into one source, for a native Lean, which runs it without compiled modules. */
export function workerSource(): string {
  const text = moduleSource(rootModule);
  const imports = [...new Set(text.match(importLine))].filter((line) => !line.startsWith('import Worker'));
  return `${imports.join('\n')}\n${text.replaceAll(importLine, '')}`;
}

/** The source of a module of the worker and all its imports, in import order. */
export function moduleSource(module: string): string {
  return workerModules(module)
    .map(({ text }) => text)
    .join('\n');
}
