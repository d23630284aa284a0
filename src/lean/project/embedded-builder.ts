import { embeddedToolchain, type EmbeddedOptions } from '../toolchain/embedded/embedded.ts';
import type { Builder } from './build.ts';

/** Modules compiled by the embedded Lean. */
export function embeddedBuilder(
  options: Pick<EmbeddedOptions, 'cacheFolder' | 'image' | 'onProgress'>,
  rest: Omit<Builder, 'cacheFolder' | 'compilerFor' | 'importerFor'>,
): Builder {
  return {
    ...rest,
    cacheFolder: options.cacheFolder,
    compilerFor: async (modules, output) => await embeddedToolchain({ ...options, modules, output }),
    importerFor: async (modules, importing) =>
      await embeddedToolchain({
        ...options,
        ...(modules !== undefined && { modules }),
        importing,
        maxBytes: rest.maxBytes,
      }),
  };
}
