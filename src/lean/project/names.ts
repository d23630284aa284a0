import path from 'node:path';

/** The modules that come with Lean itself, by the first part of their names. */
const libraryRoots = new Set(['Init', 'Std', 'Lean', 'Lake']);

export function isLibraryModule(module: string): boolean {
  return libraryRoots.has(partsOf(module)[0] ?? '');
}

/** `A.«b.c»` → A, b.c */
export function partsOf(module: string): string[] {
  return [...module.matchAll(/«([^»]*)»|[^.«»]+/g)].map(([plain, quoted]) => quoted ?? plain);
}

/** Where a module stands below the folder of its library. */
export function fileOf(module: string, extension: string): string {
  return `${path.join(...partsOf(module))}${extension}`;
}

/** The module that a file is, seen from the folder of its library. */
export function moduleOf(folder: string, file: string): string {
  const parts = path
    .relative(folder, file)
    .replace(/\.lean$/, '')
    .split(path.sep);
  return parts.map((part) => (/^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*$/u.test(part) ? part : `«${part}»`)).join('.');
}
