import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../src/config/package.ts';

interface LibraryExample {
  readonly name: string;
  readonly code: string;
  /** The output that its last comment quotes. */
  readonly prints: string;
}

/** The programs of examples/library, as users of the package would write them. */
export function libraryExamples(): LibraryExample[] {
  const folder = path.join(packageRoot, 'examples', 'library');
  return readdirSync(folder).map((name) => {
    const code = readFileSync(path.join(folder, name), 'utf8');
    const [, prints = ''] = code.split('// prints:\n');
    return { name, code, prints: prints.replaceAll(/^\/\/ /gm, '') };
  });
}
