import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { Environments } from '../../../src/lean/workers/environments.ts';
import { leanCacheFolder, settingsFrom } from '../../../src/app/settings.ts';
import { addTrust } from '../../../src/config/trust.ts';
import { addressSpaceKilobytes } from '../../../src/lean/toolchain/native-cage.ts';
import { chooseLean, resolveToolchain } from '../../../src/lean/toolchain/resolve.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { checkClaim, openPool } from '../../helpers/lean.ts';
import { jsonLines, orch } from '../../helpers/orch.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';

const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'Nat.add_comm a b' };
/** The location of the stand-in's own files; a real toolchain has them beside its program. */
const sysroot = leanCacheFolder(settingsFrom());
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A program called `lean` that is the embedded Lean: real answers behind a native seam. It cannot note how it was called: in the
 * sandbox it writes nothing.
 */
async function installLean(folder: string, name = 'lean'): Promise<string> {
  const { command, args } = await (await embeddedLean()).launch();
  const program = path.join(folder, name);
  const skip = name === 'lake' ? 'shift 2\n' : '';
  writeFileSync(
    program,
    `#!/bin/sh\n${skip}if [ "$1" = --version ]; then echo "Lean (version 4.28.0, embedded)"; exit 0; fi\nexec ${[command, ...args].map(quote).join(' ')}\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

describe('a native Lean', () => {
  test('on PATH is found, runs orch’s worker in a clean environment, and answers', async () => {
    const folder = temporaryFolder();
    const program = await installLean(folder);
    const environment = {
      PATH: `${folder}:/usr/bin:/bin`,
      HOME: '/home/someone',
      LEAN_SYSROOT: sysroot,
      SECRET_TOKEN: 'secret',
    };
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
    const { args, env, cwd } = await toolchain.launch();
    expect(args.join(' ')).toMatch(/ --run \S+\/native\/Worker-[0-9a-f]+\.lean Init$/);
    expect(env).toEqual({ PATH: environment.PATH, HOME: '/home/someone', LEAN_SYSROOT: sysroot });
    // elan would follow the folder's lean-toolchain
    expect(cwd).toBe(path.join(folder, 'cache', 'native'));
  });

  test('is asked for its version under worker limits, by orch’s own worker only', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'lean'), '#!/bin/sh\necho "version $(ulimit -v).$(ulimit -c)"\n', {
      mode: 0o755,
    });
    const environment = { PATH: `${folder}:/usr/bin:/bin` };
    const options = { lean: undefined, folder, environment, cacheFolder: folder, image: 'init' } as const;
    const toolchain = await resolveToolchain(options);
    expect(toolchain.version).toBe(`${addressSpaceKilobytes}.0`);
    const worker = (await toolchain.launch()).args.find((name) => name.endsWith('.lean')) ?? '';
    const source = readFileSync(worker, 'utf8');
    writeFileSync(worker, 'planted');
    await resolveToolchain(options);
    expect(readFileSync(worker, 'utf8')).toBe(source);
    chmodSync(path.dirname(worker), 0o777);
    await expect(resolveToolchain(options)).rejects.toThrow('others may write it');
  });

  test('that the user configured has precedence', async () => {
    const folder = temporaryFolder();
    const program = await installLean(folder);
    const { code, stdout } = await orch(
      ['check', '--json', '--stmt', claim.statement, '--proof', claim.proof],
      { env: { ORCH_LEAN: program }, cwd: folder },
    );
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ verdict: 'accepted', toolchain: 'lean-4.28.0-configured' }]);
  });

  test('of a Lake project is started through lake, in the project', async () => {
    const folder = temporaryFolder();
    const program = await installLean(folder, 'lake');
    const project = path.join(folder, 'project');
    mkdirSync(path.join(project, 'deep', 'inside'), { recursive: true });
    writeFileSync(path.join(project, 'lean-toolchain'), 'leanprover/lean4:v4.28.0\n');
    writeFileSync(path.join(project, 'lakefile.toml'), 'name = "project"\n');
    const environment = {
      PATH: `${folder}:/usr/bin:/bin`,
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      LEAN_SYSROOT: sysroot,
    };
    const notices: string[] = [];
    const onIgnored = (notice: string): void => void notices.push(notice);
    const options = { lean: undefined, folder: path.join(project, 'deep', 'inside'), environment, onIgnored };
    expect(chooseLean(options)).toBe('embedded');
    expect(notices).toEqual([expect.stringMatching(/not trusted[^]*Type: orch trust \/.*project$/)]);
    expect(chooseLean({ ...options, lean: 'lake' })).toMatchObject({ kind: 'lake' });
    addTrust(project, [], new Date(0), environment);
    expect(chooseLean({ ...options, environment: { ...environment, CI: 'true' } })).toBe('embedded');
    expect(chooseLean(options)).toMatchObject({ kind: 'lake', command: program, folder: project });
    const toolchain = await resolveToolchain({
      ...options,
      cacheFolder: path.join(folder, 'cache'),
      image: 'init',
    });
    await using pool = await openPool({}, toolchain);
    expect(await checkClaim(pool, claim)).toMatchObject({ verdict: 'accepted' });
    const { args, cwd } = await toolchain.launch();
    expect(args.join(' ')).toContain(`${program} env lean --run `);
    expect(cwd).toBe(project);
  });

  test('imports Lake’s build results: missing or outdated ones are reported, or built on request', async () => {
    const folder = temporaryFolder();
    const project = path.join(folder, 'project');
    const put = (name: string, text: string): string => {
      const file = path.join(project, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    };
    // as Lake does: one file per module below the build folder; a module that it does not know is an error
    const lake = put(
      '../lake',
      `#!/bin/sh
if [ "$1" = env ]; then echo "Lean (version 4.28.0, here)"; exit 0; fi
mkdir -p .lake/build/lib/lean; echo "$*" >> .lake/log; shift
for m in "$@"; do [ -f "\${m#+}.lean" ] || exit 1; grep -q broken "\${m#+}.lean" && { echo "\${m#+}.lean:1:0: error: broken"; exit 1; }; done
for m in Low Top; do [ -f $m.lean ] && : > .lake/build/lib/lean/$m.olean; done; exit 0
`,
    );
    chmodSync(lake, 0o755);
    put('lean-toolchain', 'leanprover/lean4:v4.28.0\n');
    put('lakefile.toml', 'name = "project"\n[[lean_lib]]\nname = "Top"\nroots = ["Top", "Low"]\n');
    put('Low.lean', 'def low := 1\n');
    const top = put('Top.lean', 'import Low\n');
    const text = 'import Top\ntheorem t : low = 1 := rfl\n';
    const environment = environmentOfFile(put('Use.lean', text), text);
    const toolchain = await resolveToolchain({
      lean: 'lake',
      folder: project,
      environment: { PATH: `${folder}:/usr/bin:/bin` },
      cacheFolder: path.join(folder, 'cache'),
      image: 'init',
    });
    const open = async (mayBuild = false): ReturnType<Environments['open']> =>
      await new Environments(toolchain, undefined, mayBuild).open(environment);

    expect(await open()).toMatchObject({
      ok: false,
      error: {
        kind: 'missing-import',
        message: 'Low is not built: lake build Top, or --build',
        missing: ['Low', 'Top'],
      },
    });
    const built = await open(true);
    expect(built).toMatchObject({ value: { code: true, toolchain: { imports: ['Init', 'Top'] } } });
    expect(readFileSync(path.join(project, '.lake', 'log'), 'utf8')).toContain('build +Top\n');
    expect(await open()).toMatchObject({ value: { closure: built.ok && built.value.closure } });

    // it would also look for the modules of another project here
    const other = path.join(folder, 'other');
    mkdirSync(other);
    writeFileSync(path.join(other, 'Low.lean'), 'def low := 2\n');
    const elsewhere = { ...environment, imports: ['Low'], project: other };
    expect(await new Environments(toolchain).open(elsewhere)).toMatchObject({
      error: { kind: 'inseparable' },
    });

    const later = new Date(Date.now() + 60_000);
    put('Top.lean', 'import Low\n-- changed\n');
    utimesSync(top, later, later);
    expect(await open()).toMatchObject({
      error: { message: expect.stringMatching(/^Top has changed since/) as string },
    });
    renameSync(path.join(project, '.lake'), path.join(folder, 'built'));
    symlinkSync(path.join(folder, 'built'), path.join(project, '.lake'));
    expect(await open(true)).toMatchObject({
      error: { message: expect.stringMatching(/\.lake is a link to a place outside/) as string },
    });
    rmSync(path.join(project, '.lake'));
    renameSync(path.join(folder, 'built'), path.join(project, '.lake'));
    put('Top.lean', 'import Low\nbroken\n');
    utimesSync(top, later, later);
    expect(await open(true)).toMatchObject({
      error: { message: 'Top has changed since it was built: Top.lean:1:0: error: broken' },
    });
  });

  test('that does not work is an error with a fix', async () => {
    const folder = temporaryFolder();
    const program = path.join(folder, 'lean');
    writeFileSync(program, '#!/bin/sh\necho "broken toolchain"\nexit 3\n', { mode: 0o755 });
    const { code, stderr } = await orch(['check', '--stmt', claim.statement, '--proof', claim.proof], {
      env: { ORCH_LEAN: program },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('ORCH_LEAN=embedded');
  });

  test('is replaced by the embedded one if there is none', () => {
    expect(chooseLean({ lean: undefined, folder: '/', environment: { PATH: '/nowhere' } })).toBe('embedded');
    expect(chooseLean({ lean: 'embedded', folder: '/', environment: {} })).toBe('embedded');
    expect(() => chooseLean({ lean: 'no-such-lean', folder: '/', environment: { PATH: '' } })).toThrow(
      'there is no program',
    );
  });
});
