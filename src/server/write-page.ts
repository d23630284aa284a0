import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../core/folders.ts';
import { packageRoot } from '../config/package.ts';
import { pageFiles, PageSource } from './page.ts';

/** Builds the dashboard into dist/web for the package: `npm run build:web`. */
const folder = path.join(packageRoot, 'dist', 'web');
const page = await new PageSource().page();
makeFolders(folder);
for (const name of pageFiles) writeFileSync(path.join(folder, name), page[name]);
