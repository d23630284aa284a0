import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tar from 'tar';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of what git holds, so that a build leaves nothing in the repository. */
function copyOfRepository(folder: string): string {
  const copy = path.join(folder, 'repository');
  mkdirSync(copy);
  const left = new Set(['node_modules', '.git', 'dist', 'bench', 'test', '.orch']);
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

/** Unpack the tarball as npm would, beside the packages that it depends on. */
async function install(tarball: string, folder: string): Promise<string> {
  const modules = path.join(folder, 'node_modules');
  const target = path.join(modules, 'orch');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  await tar.extract({ file: tarball, cwd: target, strip: 1 });
  return target;
}

describe('the tarball of npm pack', () => {
  test('holds compiled code, runs elsewhere, and tells an older Node what is wrong', async () => {
    const folder = temporaryFolder();
    const copy = copyOfRepository(folder);
    const packed = await run('npm', ['pack', '--pack-destination', folder], { cwd: copy });
    expect(packed.code, packed.stderr).toBe(0);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const installed = await install(path.join(folder, tarball), path.join(folder, 'elsewhere'));
    expect(existsSync(path.join(installed, 'dist', 'cli.js'))).toBe(true);
    expect(existsSync(path.join(installed, 'src'))).toBe(false);
    const program = path.join(installed, 'bin', 'orch.js');

    const version = await run(process.execPath, [program, '--version'], { cwd: folder });
    expect(version).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` });

    const checked = await run(
      process.execPath,
      [program, 'check', '--json', '--stmt', 'theorem t : 1 = 1', '--proof', 'rfl'],
      { cwd: folder, env: { ORCH_LEAN: 'embedded' } },
    );
    expect(checked.code, checked.stderr).toBe(0);
    expect(JSON.parse(checked.stdout)).toMatchObject({ verdict: 'accepted' });

    // an older Node, as the program sees it
    const older = path.join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const refused = await run(process.execPath, ['-r', older, program, '--version']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^orch: needs Node >= 24\.15, this is Node 20\.19\.0\.[^\n]*\n$/);
    for (const node of await olderNodes()) {
      const told = await run(node, [program, '--version']);
      expect(told).toMatchObject({ code: 2, stdout: '' });
      expect(told.stderr).toMatch(/^orch: needs Node >= 24\.15, [^\n]*\n$/);
    }
  });
});

/** Programs called `node` on PATH that are too old: the real thing, where there is one. */
async function olderNodes(): Promise<string[]> {
  const older: string[] = [];
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const node = path.join(folder, 'node');
    if (!existsSync(node)) continue;
    const { stdout } = await run(node, ['--version']);
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) < 24) older.push(node);
  }
  return older;
}
