/** Where Lean sees its library. */
export const libraryMount = '/lean/library';
/** Where it sees the compiled modules of our worker while an image is made; no running worker has this mount. */
export const workerMount = '/lean/worker';
/** Where it sees the compiled modules of a project. */
export const modulesMount = '/lean/modules';

/**
 * Lean asks for a module's compiled code in a file of its own, `X.ir`. The package has none: the code lies in `X.olean`,
 * with everything else of the module, and that file answers both questions.
 */
export function storedFile(seen: string): string {
  return seen.startsWith(`${libraryMount}/`) && seen.endsWith('.ir') ? `${seen.slice(0, -3)}.olean` : seen;
}
