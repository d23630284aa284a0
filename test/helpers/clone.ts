import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../src/config/package.ts';

/** What `git clone` would give a user once the working tree is committed; without `node_modules`. */
export function cloneInto(folder: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: packageRoot, encoding: 'utf8', maxBuffer: 64 << 20 });
  for (const file of files.split('\0').filter((name) => name !== ''))
    cpSync(path.join(packageRoot, file), path.join(folder, file));
}
