import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';
import { packAndInstall } from '../helpers/tarball.ts';

describe('the tarball of npm pack', () => {
  test('holds compiled code, runs elsewhere, and tells an older Node what is wrong', async () => {
    const folder = temporaryFolder();
    const installed = await packAndInstall(folder);
    expect(existsSync(path.join(installed, 'dist', 'cli.js'))).toBe(true);
    expect(existsSync(path.join(installed, 'src'))).toBe(false);
    const program = path.join(installed, 'bin', 'orch.js');

    const version = await run(process.execPath, [program, '--version'], { cwd: folder });
    expect(version).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` });
    const status = await run(process.execPath, [program, 'lean', 'status', '--json'], { cwd: folder });
    expect(status).toMatchObject({ code: 0 });

    // an older Node, as the program sees it, and where there is one the real thing
    const older = path.join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const asks = [[process.execPath, '-r', older], ...(await olderNodes()).map((node) => [node])];
    for (const [node = '', ...options] of asks) {
      const refused = await run(node, [...options, program, '--version']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/^orch: needs Node >= 24\.15, this is Node [\d.]+\.[^\n]*\n$/);
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
