import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'vitest';
import * as z from 'zod';
import { orch } from '../../helpers/orch.ts';
import { expectPeer, fetchPeer } from '../../helpers/peers.ts';

const repository = 'leanprover/comparator';
const commit = '19e111e2141cf333c7daff0f64c5f24acc91dd2e';

/** The file that comparator's own runner adds to a case without one. */
const lakefile = `name = "comparatortest"
version = "0.1.0"

[[lean_lib]]
name = "Solution"

[[lean_lib]]
name = "Challenge"
`;

const Expected = z.object({ exit_code: z.number() });

test('orch check --config exits as comparator does on its own tests', async () => {
  const projects = path.join(fetchPeer(repository, commit), 'tests', 'projects');
  const cases = readdirSync(projects).toSorted();
  const found: Record<string, unknown> = {};
  for (const name of cases) {
    const folder = path.join(projects, name);
    if (!existsSync(path.join(folder, 'lakefile.toml')))
      writeFileSync(path.join(folder, 'lakefile.toml'), lakefile);
    const { exit_code: wanted } = Expected.parse(
      JSON.parse(readFileSync(path.join(folder, 'test.json'), 'utf8')),
    );
    const args = ['check', '--config', 'config.json', '--timeout', '300', '--json'];
    const { code, stdout } = await orch(args, { cwd: folder });
    if (code !== wanted) found[name] = { wanted, code, stdout };
  }
  expectPeer('comparator', { peer: 'comparator', version: commit.slice(0, 8) }, cases, found);
});
