import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tar from 'tar';
import { expect } from 'vitest';
import { run } from './orch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of the files that are packed or built, so that a build leaves nothing in the repository. */
export function copyOfRepository(folder: string): string {
  const copy = path.join(folder, 'repository');
  mkdirSync(copy);
  const left = new Set(['node_modules', '.git', 'dist', 'bench', 'test', '.orch']);
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Unpacks the tarball like npm, next to the packages that it depends on. */
async function install(tarball: string, folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules');
  const target = path.join(modules, 'orch');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  await tar.extract({ file: tarball, cwd: target, strip: 1 });
  return target;
}

/** Packs the repository, installs the tarball below `folder`, and returns the folder of the package. */
export async function packAndInstall(folder: string): Promise<string> {
  const packed = await run('npm', ['pack', '--pack-destination', folder], { cwd: copyOfRepository(folder) });
  expect(packed).toMatchObject({ code: 0 });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  return await install(path.join(folder, tarball), path.join(folder, 'elsewhere'));
}
