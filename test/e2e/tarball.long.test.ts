import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { libraryExamples } from '../helpers/library-examples.ts';
import { run } from '../helpers/orch.ts';
import { packAndInstall } from '../helpers/tarball.ts';

describe('the tarball of npm pack', () => {
  test('serves programs in TypeScript and JavaScript, as ES and CommonJS modules, on this Node and the newest; reports one that is too old', async () => {
    const folder = temporaryFolder();
    const installed = await packAndInstall(folder);
    expect(existsSync(path.join(installed, 'dist', 'cli.js'))).toBe(true);
    expect(existsSync(path.join(installed, 'src'))).toBe(false);
    const program = path.join(installed, 'bin', 'orch.js');

    const version = await run(process.execPath, [program, '--version'], { cwd: folder });
    expect(version).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` });
    const status = await run(process.execPath, [program, 'lean', 'status', '--json'], { cwd: folder });
    expect(status).toMatchObject({ code: 0 });

    const user = path.dirname(path.dirname(installed));
    for (const [name, text] of Object.entries(programs)) writeFileSync(path.join(user, name), text);
    const examples = libraryExamples().map((one) => ({ ...one, file: one.name.replace('.ts', '.mts') }));
    for (const { file, code } of examples) writeFileSync(path.join(user, file), code);
    const compiled = await run(
      process.execPath,
      [
        path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
        ...strictly,
        'strict.mts',
        'common.cts',
        ...examples.map(({ file }) => file),
      ],
      { cwd: user },
    );
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    const env = { ORCH_LEAN: 'embedded' };
    for (const node of [process.execPath, await currentNode(folder)])
      for (const name of ['strict.mts', 'strict.mjs', 'common.cjs', 'plain.mjs', 'plain.cjs'])
        expect([name, await run(node, [name], { cwd: user, env })]).toMatchObject([
          name,
          { code: 0, stdout: 'accepted\n' },
        ]);

    for (const { file, prints } of examples)
      expect([file, await run(process.execPath, [file], { cwd: user, env })]).toMatchObject([
        file,
        { code: 0, stdout: prints },
      ]);

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
const strictly = '--strict --exactOptionalPropertyTypes --module nodenext --target es2024 --types node'.split(
  ' ',
);

const verdict = "{ statement: 'theorem t : 1 + 1 = 2', proof: 'rfl' }";

/** Programs of users: TypeScript and JavaScript, as ES and as CommonJS modules. Each prints one verdict. */
const programs = {
  'strict.mts': `import { open, type FoundPremise, type GoalClosed, type RunEvent, type TacticsTried, type Verdict } from 'orch';

await using orch = await open({ imports: [], settings: { num_procs: 1 } });
const signal = AbortSignal.timeout(600_000);
const given: Verdict = await orch.check(${verdict}, { signal });
const tactics = async (): Promise<TacticsTried> => await orch.tactics({ statement: 'theorem t : 1 = 1' }, ['rfl']);
const prove = async (): Promise<GoalClosed> => await orch.prove({ statement: 'theorem t : 1 = 1' }, { goalCpu: 1, signal });
const premises = async (): Promise<FoundPremise[]> => [...(await orch.premises('n + 0 = n', 3))];
async function* events(): AsyncGenerator<RunEvent> {
  for await (const event of orch.run(['A.lean'], { timeout: 1 })) {
    if (event.type === 'goal-closed') event.solved satisfies boolean;
    yield event;
  }
}
void [tactics, prove, premises, events];
console.log(given.verdict);
`,
  'common.cts': `import orch = require('orch');

async function main(): Promise<void> {
  const lean: orch.Orch = await orch.open({ imports: [], settings: { num_procs: 1 } });
  const given: orch.Verdict = await lean.check(${verdict});
  await lean.close();
  console.log(given.verdict);
}
void main();
`,
  'plain.mjs': `import { open } from 'orch';

const orch = await open();
console.log((await orch.check(${verdict})).verdict);
await orch.close();
`,
  'plain.cjs': `const { open } = require('orch');

open().then(async (orch) => {
  console.log((await orch.check(${verdict})).verdict);
  await orch.close();
});
`,
};

/** The newest Node, fetched now and never kept. */
async function currentNode(folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const target = path.join(folder, 'current');
  const install = ['install', '--prefix', target, '--no-audit', '--no-fund', `${name}@latest`];
  expect(await run('npm', install)).toMatchObject({ code: 0 });
  return path.join(target, 'node_modules', name, 'bin', 'node');
}

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
