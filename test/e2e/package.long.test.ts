import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, run } from '../helpers/orch.ts';
import { packAndInstall } from '../helpers/tarball.ts';

describe('the tarball of npm pack', () => {
  test('sets up a Lean of its own and checks proofs', async () => {
    const folder = temporaryFolder();
    const program = path.join(await packAndInstall(folder), 'bin', 'orch.js');
    const { code, stdout, stderr } = await run(
      process.execPath,
      [program, 'check', '--json', '--stmt', 'theorem t : 1 = 1', '--proof', 'rfl'],
      { cwd: folder, env: { ORCH_LEAN: 'embedded', ORCH_CACHE_DIR: path.join(folder, 'cache') } },
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(jsonLines(stdout)).toMatchObject([{ verdict: 'accepted' }]);
  });
});
