/** The path of the library, as seen by Lean. */
export const libraryMount = '/lean/library';
/** The path of our worker's compiled modules while an image is built; running workers do not have this mount. */
export const workerMount = '/lean/worker';
/** The path of a project's compiled modules. */
export const modulesMount = '/lean/modules';

/**
 * Lean asks for a module's compiled code in a file of its own, `X.ir`. The package has no such files: `X.olean`
 * contains the code with everything else of the module, and is used for both.
 */
export function storedFile(seen: string): string {
  return seen.startsWith(`${libraryMount}/`) && seen.endsWith('.ir') ? `${seen.slice(0, -3)}.olean` : seen;
}
