import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';
import { packAndInstall } from '../helpers/tarball.ts';

describe('the tarball of npm pack', () => {
  test('contains compiled code, runs outside the repository, and reports a Node that is too old', async () => {
    const folder = temporaryFolder();
    const installed = await packAndInstall(folder);
    expect(existsSync(path.join(installed, 'dist', 'cli.js'))).toBe(true);
    expect(existsSync(path.join(installed, 'src'))).toBe(false);
    const program = path.join(installed, 'bin', 'orch.js');

    const version = await run(process.execPath, [program, '--version'], { cwd: folder });
    expect(version).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` });
    const status = await run(process.execPath, [program, 'lean', 'status', '--json'], { cwd: folder });
    expect(status).toMatchObject({ code: 0 });

    // a user's program: types are strict, and an opened but unused orch leaves no process behind
    const user = path.dirname(path.dirname(installed));
    writeFileSync(path.join(user, 'use.mts'), userProgram);
    const compiled = await run(
      process.execPath,
      [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...strictly, 'use.mts'],
      { cwd: user },
    );
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    const used = await run(process.execPath, ['use.mts'], { cwd: user });
    expect(used).toMatchObject({ code: 0, stdout: 'opened and closed\n' });

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

const root = fileURLToPath(new URL('../../', import.meta.url));
const strictly =
  '--strict --exactOptionalPropertyTypes --noEmit --module nodenext --target es2024 --types node'.split(' ');

const userProgram = `import { open, type GoalClosed, type RunEvent, type TacticsTried, type Verdict } from 'orch';

const orch = await open({ imports: [], settings: { num_procs: 1 } });
const check = async (): Promise<Verdict> => await orch.check({ statement: 'theorem t : 1 = 1', proof: 'rfl' });
const tactics = async (): Promise<TacticsTried> => await orch.tactics({ statement: 'theorem t : 1 = 1' }, ['rfl']);
const prove = async (): Promise<GoalClosed> => await orch.prove({ statement: 'theorem t : 1 = 1' }, { goalCpu: 1 });
async function* events(): AsyncGenerator<RunEvent> {
  yield* orch.run(['A.lean'], { timeout: 1 });
}
void [check, tactics, prove, events];
await orch.close();
console.log('opened and closed');
`;

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
