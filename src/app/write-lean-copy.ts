import { writeFileSync } from 'node:fs';
import { copyFile, packCopy } from '../lean/toolchain/embedded/compiled-copy.ts';
import { compileWorker } from '../lean/toolchain/embedded/embedded.ts';
import { setupProgress } from '../reporters/progress.ts';
import { leanCacheFolder, settingsFrom } from './settings.ts';

/** Compiles the files of `lean/` and writes the copy that comes with orch: `npm run lean:compile`. */
const progress = setupProgress(process.stderr, 'Compiling');
const modules = await compileWorker({
  cacheFolder: leanCacheFolder(settingsFrom()),
  onProgress: progress.update,
}).finally(progress.done);
const packed = packCopy(modules);
writeFileSync(copyFile, packed);
process.stdout.write(`${copyFile}: ${modules.length} modules, ${packed.length} bytes\n`);
