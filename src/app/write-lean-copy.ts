import { writeFileSync } from 'node:fs';
import { copyFile, packCopy } from '../lean/toolchain/embedded/compiled-copy.ts';
import { compileWorker } from '../lean/toolchain/embedded/embedded.ts';
import { setupProgress } from '../reporters/progress.ts';
import { leanCacheFolder, settingsFrom } from './settings.ts';

/** Compiles what changed of the Lean side and writes the copy that comes with orch: `npm run lean:compile`, with `-- --all` everything. */
const progress = setupProgress(process.stderr, 'Compiling');
const options = { cacheFolder: leanCacheFolder(settingsFrom()), onProgress: progress.update };
const modules = await compileWorker(options, process.argv.includes('--all')).finally(progress.done);
const packed = packCopy(modules);
writeFileSync(copyFile, packed);
process.stdout.write(`${copyFile}: ${modules.length} modules, ${packed.length} bytes\n`);
