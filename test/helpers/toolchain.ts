import { leanCacheFolder, settingsFrom } from '../../src/app/settings.ts';
import { embeddedToolchain, type ImageName } from '../../src/lean/toolchain/embedded/embedded.ts';
import type { Toolchain } from '../../src/lean/toolchain/toolchain.ts';

/** The embedded Lean; the global set-up has built it. */
export async function embeddedLean(image: ImageName = 'init'): Promise<Toolchain> {
  return await embeddedToolchain({ cacheFolder: leanCacheFolder(settingsFrom()), image });
}
