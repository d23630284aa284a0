import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { settingsDocuments } from './settings.ts';

/** `npm run docs:settings` writes what is made from the settings' schema. */
const root = path.dirname(import.meta.dirname);
for (const [file, text] of Object.entries(settingsDocuments(root)))
  writeFileSync(path.join(root, file), text);
