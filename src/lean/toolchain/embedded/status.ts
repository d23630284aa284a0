import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isIntact } from '../../../io/stage.ts';
import { canSaveCode } from './code-stage.ts';
import { embeddedFolders, images, type ImageName } from './embedded.ts';
import { leanVersion } from './lean-package.ts';

export interface EmbeddedStatus {
  readonly version: string;
  readonly folder: string;
  readonly stages: readonly { name: string; folder: string; ready: boolean; bytes: number }[];
  /** Size of the whole folder, including older versions. */
  readonly totalBytes: number;
}

export async function embeddedStatus(cacheFolder: string): Promise<EmbeddedStatus> {
  const folders = new Map<string, string>();
  for (const image of Object.keys(images) as ImageName[]) {
    const made = embeddedFolders({ cacheFolder, image });
    folders.set('host', made.host);
    folders.set('runtime', made.runtime);
    if (canSaveCode()) folders.set('code', made.code);
    folders.set(`image ${image}`, made.image);
  }
  if (canSaveCode())
    folders.set('code for projects', embeddedFolders({ cacheFolder, image: 'lean', modules: '' }).code);
  const stages = await Promise.all(
    [...folders].map(async ([name, folder]) => ({
      name,
      folder,
      ready: await isIntact(folder),
      bytes: await folderBytes(folder),
    })),
  );
  return { version: leanVersion, folder: cacheFolder, stages, totalBytes: await folderBytes(cacheFolder) };
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
