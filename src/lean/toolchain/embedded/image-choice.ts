import { environmentOf, libraryOf, type LeanEnvironment } from '../../environment.ts';
import { isLibraryModule } from '../../project/names.ts';
import type { ImageName } from './embedded.ts';

interface Standing {
  readonly preamble: string;
  readonly environment?: LeanEnvironment | undefined;
}

/** The smallest image that has some modules of Lean's library; those of projects are imported on top of it. */
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

/** The image for texts, each in its environment; one without comes by itself. */
export function imageFor(...texts: readonly Standing[]): ImageName {
  return imageOf(
    texts.flatMap(({ preamble, environment }) => libraryOf(environment ?? environmentOf(preamble))),
  );
}
