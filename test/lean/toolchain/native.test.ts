import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseLean, resolveToolchain } from '../../../src/lean/toolchain/resolve.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { checkClaim, openPool } from '../../helpers/lean.ts';
import { jsonLines, orch } from '../../helpers/orch.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';

const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'Nat.add_comm a b' };
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A program called `lean` that notes how it was called and then is the embedded Lean: real answers behind a native seam. */
async function installLean(folder: string, name = 'lean'): Promise<{ program: string; calls: () => string }> {
  const { command, args } = await (await embeddedLean()).launch();
  const program = path.join(folder, name);
  const log = path.join(folder, `${name}.log`);
  const skip = name === 'lake' ? 'shift 2\n' : '';
  writeFileSync(
    program,
    `#!/bin/sh\necho "args $*" >> ${quote(log)}\nenv >> ${quote(log)}\npwd >> ${quote(log)}\n${skip}if [ "$1" = --version ]; then echo "Lean (version 4.28.0, embedded)"; exit 0; fi\nexec ${[command, ...args].map(quote).join(' ')}\n`,
  );
  chmodSync(program, 0o755);
  return { program, calls: () => readFileSync(log, 'utf8') };
}

describe('a native Lean', () => {
  test('on PATH is found, launched on our worker with a clean environment, and answers', async () => {
    const folder = temporaryFolder();
    const { program, calls } = await installLean(folder);
    const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: '/home/somebody', SECRET_TOKEN: 'secret' };
    const options = { lean: undefined, folder, environment };
    expect(chooseLean(options)).toMatchObject({ kind: 'path', command: program });
    const toolchain = await resolveToolchain({
      ...options,
      cacheFolder: path.join(folder, 'cache'),
      image: 'init',
    });
    expect(toolchain).toMatchObject({ kind: 'path', version: '4.28.0', rootSession: 0 });

    await using pool = await openPool({}, toolchain);
    expect(await checkClaim(pool, claim)).toMatchObject({
      verdict: 'accepted',
      toolchain: 'lean-4.28.0-path',
    });
    expect(calls()).toMatch(/args --run \S+\/native\/Worker-[0-9a-f]+\.lean Init/);
    expect(calls()).toContain('HOME=/home/somebody');
    expect(calls()).not.toContain('SECRET_TOKEN');
  });

  test('that the user configured wins over all others', async () => {
    const folder = temporaryFolder();
    const { program } = await installLean(folder);
    const { code, stdout } = await orch(
      ['check', '--json', '--stmt', claim.statement, '--proof', claim.proof],
      { env: { ORCH_LEAN: program }, cwd: folder },
    );
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ verdict: 'accepted', toolchain: 'lean-4.28.0-configured' }]);
  });

  test('of a Lake project is called through lake, in the project', async () => {
    const folder = temporaryFolder();
    const { program, calls } = await installLean(folder, 'lake');
    const project = path.join(folder, 'project');
    mkdirSync(path.join(project, 'deep', 'inside'), { recursive: true });
    writeFileSync(path.join(project, 'lean-toolchain'), 'leanprover/lean4:v4.28.0\n');
    writeFileSync(path.join(project, 'lakefile.toml'), 'name = "project"\n');
    const options = {
      lean: undefined,
      folder: path.join(project, 'deep', 'inside'),
      environment: { PATH: `${folder}:/usr/bin:/bin` },
    };
    expect(chooseLean(options)).toMatchObject({ kind: 'lake', command: program, folder: project });
    const toolchain = await resolveToolchain({
      ...options,
      cacheFolder: path.join(folder, 'cache'),
      image: 'init',
    });
    await using pool = await openPool({}, toolchain);
    expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
    expect(calls()).toContain('args env lean --run');
    expect(calls()).toContain(`${project}\n`);
  });

  test('that does not work is an error with a way out', async () => {
    const folder = temporaryFolder();
    const program = path.join(folder, 'lean');
    writeFileSync(program, '#!/bin/sh\necho "broken toolchain"\nexit 3\n', { mode: 0o755 });
    const { code, stderr } = await orch(['check', '--stmt', claim.statement, '--proof', claim.proof], {
      env: { ORCH_LEAN: program },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('ORCH_LEAN=embedded');
  });

  test('nowhere: the embedded one', () => {
    expect(chooseLean({ lean: undefined, folder: '/', environment: { PATH: '/nowhere' } })).toBe('embedded');
    expect(chooseLean({ lean: 'embedded', folder: '/', environment: {} })).toBe('embedded');
    expect(() => chooseLean({ lean: 'no-such-lean', folder: '/', environment: { PATH: '' } })).toThrow(
      'there is no program',
    );
  });
});
