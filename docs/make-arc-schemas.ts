import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { arcSchemaDocuments } from './arc-schemas.ts';

/** `npm run docs:arc-schemas` writes docs/schemas/arc. */
const root = path.dirname(import.meta.dirname);
for (const [file, text] of Object.entries(arcSchemaDocuments())) {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}
