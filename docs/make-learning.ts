import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { learningPage } from './learning.ts';

/** `npm run docs:learning` writes the page about what is learned, from the figures that benches have left. */
const root = path.dirname(import.meta.dirname);
writeFileSync(path.join(root, 'docs', 'LEARNING.md'), learningPage(root));
