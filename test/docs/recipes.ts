import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs/recipes');

/** The worked examples of CONTRIBUTING.md, each with the files that it edits or creates. */
export const recipes = readdirSync(folder).map((name) => {
  const file = path.join(folder, name);
  const patch = readFileSync(file, 'utf8');
  return {
    name,
    file,
    touched: [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, touched = '']) => touched),
  };
});
