import path from 'node:path';

/** The modules that come with Lean itself, by the first part of their names. */
const libraryRoots = new Set(['Init', 'Std', 'Lean', 'Lake']);

export function isLibraryModule(module: string): boolean {
  return libraryRoots.has(moduleNameParts(module)[0] ?? '');
}

/** The characters that can begin a Lean identifier, and those that can follow, as parts of a regular expression. */
export const identifierStart = String.raw`A-Za-z_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u017F\u0391-\u039F\u03A1\u03A2\u03A4-\u03A9\u03B1-\u03BA\u03BC-\u03FB\u1F00-\u1FFE\u2100-\u214F\u{1D49C}-\u{1D59F}`;
export const identifierRest = String.raw`${identifierStart}0-9'!?\u2080-\u2089\u2090-\u209C\u1D62-\u1D6A\u2C7C`;

const plainPart = new RegExp(`^[${identifierStart}][${identifierRest}]*$`, 'u');

/** A, b.c → `A.«b.c»`: one spelling per name. */
export function writtenName(parts: readonly string[]): string {
  return parts.map((part) => (plainPart.test(part) ? part : `«${part}»`)).join('.');
}

/** `A.«b.c»` → A, b.c */
export function moduleNameParts(module: string): string[] {
  return [...module.matchAll(/«([^»]*)»|[^.«»]+/g)].map(([plain, quoted]) => quoted ?? plain);
}

/** Path of a module's file, relative to its library's folder. */
export function fileOf(module: string, extension: string): string {
  return `${path.join(...moduleNameParts(module))}${extension}`;
}

/** Module name of a file, relative to its library's folder. */
export function moduleOf(folder: string, file: string): string {
  const parts = path
    .relative(folder, file)
    .replace(/\.lean$/, '')
    .split(path.sep);
  return writtenName(parts);
}
