import { isLibraryModule } from '../../project/names.ts';
import { readHeader } from '../../project/header.ts';
import type { ImageName } from './embedded.ts';

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

/** The image for a text by itself. */
export function imageFor(text: string): ImageName {
  return imageOf(readHeader(text).imports.map(({ module }) => module));
}
