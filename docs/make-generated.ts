import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedDocuments } from './generated.ts';

/** `npm run docs:generated` writes every generated file. */
const root = path.dirname(import.meta.dirname);
for (const [file, text] of Object.entries(await generatedDocuments(root)))
  writeFileSync(path.join(root, file), text);
