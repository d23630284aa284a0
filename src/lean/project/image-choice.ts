import { UserError } from '../../core/errors.ts';
import { environmentOf, libraryOf, onlyModules, type LeanEnvironment } from './environment.ts';
import { isLibraryModule } from '../base/module-names.ts';
import { images, type ImageName } from '../toolchain/embedded/embedded.ts';

interface Standing {
  readonly preamble: string;
  readonly environment?: LeanEnvironment | undefined;
}

/**
 * The smallest image that contains the given modules of Lean's library; modules of projects are imported on top
 * of it.
 */
export function imageOf(modules: Iterable<string>): ImageName {
  let image: ImageName = 'init';
  for (const module of modules) {
    const [root] = module.split('.');
    if (!isLibraryModule(module) || root === 'Init') continue;
    if (root !== 'Std' && module !== 'Lean.LibrarySuggestions.Default') return 'lean';
    image = 'std';
  }
  return image;
}

/**
 * The text's own environment, even if the worker has more of the library loaded for others: names, instances and notation of modules it does not import could change its meaning.
 */
export function byItself(environment: LeanEnvironment, available: readonly string[]): LeanEnvironment {
  const { imports, project, only } = environment;
  if (project !== null || only || !imports.every((name) => isLibraryModule(name))) return environment;
  const own = images[imageOf(imports)];
  const isMore = own.length < available.length && own.every((name) => available.includes(name));
  return isMore ? onlyModules(own) : environment;
}

/** The image for texts, each in its environment, if any. */
export function imageFor(...texts: readonly Standing[]): ImageName {
  return imageOf(
    texts.flatMap(({ preamble, environment }) => libraryOf(environment ?? environmentOf(preamble))),
  );
}

const fromLarge: readonly ImageName[] = ['lean', 'std', 'init'];

/** Whether an image contains another one. */
export function hasLibraryOf(image: ImageName, other: ImageName): boolean {
  return fromLarge.indexOf(image) <= fromLarge.indexOf(other);
}

/**
 * Lean with the image needed by all texts of a run. If this machine cannot build it, the next smaller one: most texts need no more, and for the others Lean names the missing module.
 */
export async function withSmallerImage<Value>(
  wanted: ImageName,
  open: (image: ImageName) => Promise<Value>,
  tell: (why: string) => void,
): Promise<Value> {
  const [, smaller] = fromLarge.slice(fromLarge.indexOf(wanted));
  try {
    return await open(wanted);
  } catch (error) {
    const isSetUp = error instanceof UserError && error.code === 'lean-setup-failed';
    if (!isSetUp || smaller === undefined) throw error;
    tell(`the image ${wanted} cannot be set up, using ${smaller} instead: ${error.message}`);
    return await withSmallerImage(smaller, open, tell);
  }
}
