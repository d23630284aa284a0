import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addTrust } from '../../src/config/trust.ts';
import { gitFact } from '../../src/io/git-process.ts';
import { Git } from '../../src/io/git.ts';
import { checkoutEntries, namesPrograms } from '../../src/io/git-config.ts';
import { cleanEnvironment } from '../../src/io/programs.ts';
import { findSandbox } from '../../src/io/sandbox.ts';
import { chooseLean } from '../../src/lean/toolchain/resolve.ts';
import { open } from '../../src/app/orch.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';

/**
 * Checkouts that try to gain trust. Whatever they contain, none of their programs runs, no verdict comes from them,
 * and nothing outside them is read or written. Their programs would leave a file behind when run, with the
 * environment that they got.
 */
const home = mkdtempSync(path.join(os.tmpdir(), 'orch-hostile-'));
const ran = path.join(home, 'ran');
const before = { ...process.env };
const secret = 'sk-hostile-0123456789';

beforeAll(() => {
  Object.assign(process.env, { XDG_CONFIG_HOME: home, ANTHROPIC_API_KEY: secret, GITHUB_TOKEN: secret });
  delete process.env['CI'];
  delete process.env['GITHUB_ACTIONS'];
});
afterAll(() => {
  for (const name of ['XDG_CONFIG_HOME', 'ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'CI', 'GITHUB_ACTIONS'])
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  rmSync(home, { recursive: true });
});

/** A program that says yes to everything. */
const evil = `#!/bin/sh\nenv >> ${ran}\ncase "$*" in *--version*) echo "Lean (version 4.28.0, evil)";; esac\nexit 0\n`;

/** A folder with these files; those that begin with `#!` are programs. */
function checkout(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  return folder;
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

function writeLegacy(folder: string, kind: 'remotes' | 'branches', text: string): void {
  mkdirSync(path.join(folder, '.git', kind), { recursive: true });
  writeFileSync(path.join(folder, '.git', kind, 'origin'), text);
}

const hasRun = (): boolean => existsSync(ran);
const falsehood = ['check', '--json', '--stmt', 'theorem f : False', '--proof', 'by trivial'];

describe('a checkout with its own checker', () => {
  const lake = { 'lean-toolchain': 'evil/lean4:v4.28.0\n', 'lakefile.lean': 'import Lake\n#eval evil\n' };
  test.each([
    ['orch.toml', { 'orch.toml': 'lean = "./evil.sh"\nmodel = "cmd:./evil.sh"\n' }],
    ['.env', { '.env': 'ORCH_LEAN=./evil.sh\nORCH_LAKE_BUILD=on\n' }],
    ['a Lake project', lake],
  ])('its checker in %s is not run, locally or in CI', async (_, files) => {
    const folder = checkout({ ...files, 'evil.sh': evil });
    const bin = checkout({ lake: evil, lean: evil });
    for (const env of [{}, { CI: 'true' }]) {
      // programs on PATH belong to the user: here a lake, which only the Lake project would start
      const PATH = 'lakefile.lean' in files ? `${bin}:${process.env['PATH']}` : process.env['PATH'];
      const { code, stdout, stderr } = await orchHere(falsehood, {
        cwd: folder,
        env: { ORCH_LEAN: undefined, PATH, ...env },
      });
      expect([code, stdout]).toEqual([1, expect.stringContaining('"verdict":"rejected"')]);
      expect(stderr).toContain('judged by Lean 4.28.0 (embedded)');
      expect(stderr).toMatch(/CI/.test(JSON.stringify(env)) ? /in CI a repository/ : /type: orch trust /i);
      expect(hasRun()).toBe(false);
    }
  });

  test('its checker is not run by the library', async () => {
    const folder = checkout({ 'orch.toml': 'lean = "./evil.sh"\nledger = "/etc/passwd"\n' });
    const here = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(here));
    await using orch = await open();
    expect(orch.settings).toMatchObject({ ledger: '.orch/ledger.db' });
    expect(orch.settings.lean).not.toBe('./evil.sh');
  });
});

describe('git in a checkout that brings its .git folder', () => {
  const conditional = '[core]\n\tsshCommand = ./evil.sh\n[filter "evil"]\n\tsmudge = ./evil.sh\n';
  test.each([
    ['core.fsmonitor', './evil.sh'],
    ['core.hooksPath', 'hooks'],
    ['core.sshCommand', './evil.sh'],
    ['filter.evil.clean', './evil.sh'],
    ['diff.external', './evil.sh'],
    ['credential.helper', '!./evil.sh'],
    ['gpg.program', './evil.sh'],
    ['remote.origin.url', 'ext::./evil.sh'],
    ['remote.origin.uploadpack', './evil.sh'],
    ['core.worktree', '/'],
    ['include.path', '../more'],
    ['includeIf.gitdir:**/worktrees/**.path', '../more'],
    ['includeIf.gitdir:**/worktrees/**.path', `${home}/more`],
  ])('%s runs no program from it', async (key, value) => {
    const folder = checkout({
      'evil.sh': evil,
      'hooks/post-index-change': evil,
      more: conditional,
      '.gitattributes': '*.lean filter=evil diff=evil\n',
      'A.lean': 'theorem a : True := trivial\n',
    });
    git(folder, 'init', '--quiet', '--initial-branch=main');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--no-verify', '--message', 'first');
    if (key !== 'remote.origin.url') git(folder, 'remote', 'add', 'origin', 'ssh://nobody@127.0.0.1:1/x');
    writeFileSync(path.join(folder, '.git/hooks/post-checkout'), evil, { mode: 0o755 });
    writeFileSync(path.join(folder, 'A.lean'), 'theorem a : True := by trivial\n');
    writeFileSync(path.join(home, 'more'), conditional);
    git(folder, 'config', key, value);
    const repository = new Git(folder);
    const answers = [
      await repository.changes(),
      await repository.patch(),
      await repository.fetch('origin'),
      await repository.addWorktree(path.join(folder, 'tree'), 'HEAD'),
    ];
    gitFact(folder, 'remote', 'get-url', 'origin');
    expect(hasRun()).toBe(false);
    const isOverruled = /fsmonitor|hooksPath/.test(key);
    expect(answers[0]?.ok).toBe(isOverruled);
    if (!isOverruled)
      expect(answers[0]).toMatchObject({ error: { message: expect.stringMatching(/orch trust \//) } });
  });

  test.each<[string, (folder: string) => void]>([
    ['its path', (folder) => void git(folder, 'remote', 'add', 'origin', 'sub/evil.git')],
    [
      'a file: address',
      (folder) => void git(folder, 'remote', 'add', 'origin', `file://${folder}/sub/%65vil`),
    ],
    ['a file in .git/remotes', (folder) => writeLegacy(folder, 'remotes', `URL: ${folder}/sub/evil.git\n`)],
    ['a file in .git/branches', (folder) => writeLegacy(folder, 'branches', `${folder}/sub/evil.git\n`)],
    [
      'the name of a remote that does not exist',
      (folder) => renameSync(path.join(folder, 'sub/evil.git'), path.join(folder, 'origin')),
    ],
  ])('a remote that is a folder runs no hooks: named by %s', async (_, name) => {
    for (const isConfigured of [false, true]) {
      const folder = checkout({ 'A.lean': '', 'hooks/pre-receive': evil });
      git(folder, 'init', '--quiet', '--initial-branch=main');
      git(folder, 'add', '--all');
      git(folder, 'commit', '--quiet', '--message', 'first');
      git(folder, 'init', '--quiet', '--bare', 'sub/evil.git');
      const repository = path.join(folder, 'sub/evil.git');
      if (isConfigured) git(repository, 'config', 'core.hooksPath', path.join(folder, 'hooks'));
      else writeFileSync(path.join(repository, 'hooks/pre-receive'), evil, { mode: 0o755 });
      name(folder);
      const pushed = await new Git(folder).push('origin', git(folder, 'rev-parse', 'HEAD').trim(), 'x');
      expect([hasRun(), pushed.ok]).toEqual([false, false]);
    }
  });

  test('a folder without hooks can be a remote', async () => {
    const folder = checkout({ 'A.lean': '' });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'first');
    git(folder, 'clone', '--quiet', '--bare', '.', 'up.git');
    git(folder, 'remote', 'add', 'origin', 'up.git');
    expect(await new Git(folder).fetch('origin')).toMatchObject({ ok: true });
  });

  test('objects that a partial clone lacks are not fetched to learn a fact', () => {
    const folder = checkout({ 'evil.sh': evil, 'A.lean': '', 'B/C/D.lean': '' });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'first');
    git(folder, 'sparse-checkout', 'set', '--cone', '--sparse-index');
    const tree = git(folder, 'rev-parse', 'HEAD:B').trim();
    rmSync(path.join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    git(folder, 'remote', 'add', 'origin', 'ssh://nobody@127.0.0.1:1/x');
    for (const [key, value] of [
      ['remote.origin.promisor', 'true'],
      ['extensions.partialClone', 'origin'],
      ['core.repositoryFormatVersion', '1'],
      ['core.sshCommand', './evil.sh'],
    ] as const)
      git(folder, 'config', key, value);
    gitFact(folder, 'ls-files');
    expect(hasRun()).toBe(false);
  });

  test('a filter in the configuration of the work tree alone runs nothing', async () => {
    const folder = checkout({ 'evil.sh': evil, 'A.lean': '', '.gitattributes': '*.lean filter=evil\n' });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'first');
    git(folder, 'config', 'extensions.worktreeConfig', 'true');
    git(folder, 'config', '--worktree', 'filter.evil.clean', './evil.sh');
    writeFileSync(path.join(folder, 'A.lean'), 'x');
    const { code, stderr } = await orchHere(['check', '--changed'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/sets filter\.evil\.clean, .* orch trust/)]);
    expect(hasRun()).toBe(false);
  });

  test('a file that the checkout includes later runs nothing', async () => {
    const folder = checkout({ 'evil.sh': evil, more: conditional, 'A.lean': '' });
    git(folder, 'init', '--quiet', '--initial-branch=main');
    git(folder, 'remote', 'add', 'origin', 'ssh://nobody@127.0.0.1:1/x');
    git(folder, 'add', '--all');
    git(folder, 'commit', '--quiet', '--message', 'first');
    git(folder, 'config', 'include.path', '../tree/more');
    const repository = new Git(folder);
    expect(await repository.addWorktree(path.join(folder, 'tree'), 'HEAD')).toMatchObject({ ok: true });
    expect(await repository.fetch('origin')).toMatchObject({
      error: { message: expect.stringContaining('core.sshcommand') },
    });
    expect(hasRun()).toBe(false);
  });

  test('a configuration too long to be listed is refused', async () => {
    const folder = checkout({ 'evil.sh': evil, 'A.lean': '', '.gitattributes': '*.lean filter=evil\n' });
    git(folder, 'init', '--quiet');
    git(folder, 'add', '--all');
    writeFileSync(path.join(folder, 'A.lean'), 'x');
    git(folder, 'config', 'filter.evil.clean', './evil.sh');
    appendFileSync(path.join(folder, '.git/config'), `[alias]\n\tlong = ${'x'.repeat(65 << 20)}\n`);
    const answer = await new Git(folder).patch();
    expect(hasRun()).toBe(false);
    expect(answer).toMatchObject({ error: { message: expect.stringContaining('cannot list') as string } });
  });

  test('a submodule with its own configuration is not read', async () => {
    const folder = checkout({ 'A.lean': '', 'sub/B.lean': 'one' });
    git(path.join(folder, 'sub'), 'init', '--quiet');
    for (const place of ['sub', '.']) {
      if (place === '.') git(folder, 'init', '--quiet');
      git(path.join(folder, place), 'add', '--all');
      git(path.join(folder, place), 'commit', '--quiet', '--message', 'first');
    }
    // overrules `diff.ignoreSubmodules`
    writeFileSync(
      path.join(folder, '.gitmodules'),
      '[submodule "s"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n',
    );
    const program = path.join(checkout({ 'evil.sh': evil }), 'evil.sh');
    git(path.join(folder, 'sub'), 'config', 'filter.evil.clean', program);
    writeFileSync(path.join(folder, 'sub/.git/info/attributes'), '*.lean filter=evil\n');
    // the same length as before: git must read the file to see that it changed
    writeFileSync(path.join(folder, 'sub/B.lean'), 'two');
    writeFileSync(path.join(folder, 'A.lean'), 'x');
    const repository = new Git(folder);
    const answers = [
      await repository.changes(),
      await repository.patch(),
      await repository.edited('.'),
      await repository.commitAll('second'),
    ];
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    expect(git(folder, 'show', '--name-only', '--format=').trim().split('\n')).toEqual([
      '.gitmodules',
      'A.lean',
    ]);
    expect(hasRun()).toBe(false);
  });

  test('a trusted program runs without access to keys', async () => {
    const folder = checkout({ 'evil.sh': evil, 'A.lean': '', '.gitattributes': '*.lean filter=theirs\n' });
    git(folder, 'init', '--quiet');
    git(folder, 'config', 'filter.theirs.clean', './evil.sh');
    expect(await orchHere(['trust'], { cwd: folder })).toMatchObject({ code: 0 });
    await new Git(folder).commitAll('first');
    expect(hasRun()).toBe(true);
    expect(readFileSync(ran, 'utf8')).not.toContain(secret);
    rmSync(ran);
  });

  test.each(['more', 'evil.sh'])(
    'trust in a configuration ends when %s changes, which it names',
    async (name) => {
      const folder = checkout({
        'evil.sh': evil,
        more: '[filter "theirs"]\n\tclean = ./evil.sh\n',
        'A.lean': '',
        '.gitattributes': '*.lean filter=theirs\n',
      });
      git(folder, 'init', '--quiet');
      git(folder, 'config', 'include.path', '../more');
      expect(await orchHere(['trust'], { cwd: folder })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/more, .*evil\.sh|evil\.sh, .*more/),
      });
      appendFileSync(path.join(folder, name), '\n# pulled\n');
      expect(await new Git(folder).commitAll('first')).toMatchObject({
        error: { message: expect.stringContaining(`${name} changed since`) },
      });
      expect(hasRun()).toBe(false);
    },
  );

  test('settings that clones and CI write into .git/config are accepted', async () => {
    const usual = {
      'core.repositoryformatversion': '0',
      'remote.origin.url': 'git@github.com:ada/sums.git',
      'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
      'branch.main.merge': 'refs/heads/main',
      'http.https://github.com/.extraheader': 'AUTHORIZATION: basic x',
      'submodule.active': '.',
      'gc.auto': '0',
      'user.email': 'ada@example.org',
      'includeif.gitdir:/home/ada/sums/.git.path': '/tmp/credentials',
    };
    const listing = Object.entries(usual).map(
      ([key, value]) => `local\0file:.git/config\0${key}\n${value}\0`,
    );
    const token = 'http.https://github.com/.extraheader\nAUTHORIZATION: basic x\0';
    const programs = async (text: string): Promise<string[]> =>
      await namesPrograms(checkoutEntries(text), () => Promise.resolve(token));
    expect(await programs(listing.join(''))).toEqual([]);
    expect(await programs('global\0file:/home/ada/.gitconfig\0core.sshcommand\nssh -i key\0')).toEqual([]);
  });
});

describe('a checkout with strange files', () => {
  test('programs named like orch’s tools are not found, even if PATH contains the current folder', async () => {
    const folder = checkout(
      Object.fromEntries(['git', 'ssh', 'lean', 'lake', 'bwrap'].map((name) => [name, evil])),
    );
    const { PATH } = process.env;
    onTestFinished(() => void (process.env['PATH'] = PATH));
    const here = process.cwd();
    onTestFinished(() => process.chdir(here));
    process.chdir(folder);
    for (const entry of ['.', '', './', 'bin/..']) {
      process.env['PATH'] = `${entry}:${PATH}`;
      expect(cleanEnvironment(process.env)['PATH']).toBe(PATH);
      process.env['PATH'] = entry;
      await new Git(folder).changes();
      expect(gitFact(folder, 'rev-parse', 'HEAD')).toBe('');
      expect(chooseLean({ lean: undefined, folder, environment: process.env })).toBe('embedded');
      expect((await findSandbox(entry)).kind).not.toBe('bubblewrap');
    }
    expect(hasRun()).toBe(false);
  });

  test('file names with control characters are escaped', async () => {
    const name = 'a\u001B[2J\u202E\r::error::x.lean';
    const folder = checkout({ [name]: 'theorem a : False := by trivial\n' });
    const { stderr } = await orchHere(['check', `${name}x`], { cwd: folder });
    for (const character of ['\u001B', '\u202E', '\r']) expect(stderr).not.toContain(character);
  });

  test('state folders with links are not written to, unless trusted', async () => {
    for (const name of ['.orch', '.orch/ledger.db', '.orch/arc/rows.jsonl']) {
      const folder = checkout({ 'g.jsonl': '{"id":"a","statement":"theorem a : 1 = 1"}\n' });
      const target = checkout({});
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      symlinkSync(path.join(target, name === '.orch' ? '' : 'victim'), path.join(folder, name));
      const refused = await orchHere(['stats'], { cwd: folder });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is or contains a link')]);
      expect(readdirSync(target)).toEqual([]);
      addTrust(folder, [], new Date(0), process.env);
      expect((await orchHere(['stats'], { cwd: folder })).stderr).not.toContain('is or contains a link');
    }
  });

  test('a Lean file that links outside the checkout is not read', async () => {
    const folder = checkout({ 'A.lean': 'theorem a : True := trivial\n' });
    symlinkSync('/etc/passwd', path.join(folder, 'B.lean'));
    const { code, stdout, stderr } = await orchHere(['check', '.'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('B.lean is a link to a file outside')]);
    expect(stdout + stderr).not.toContain('root:');
  });

  test('a settings file that links outside is read as settings or not at all', async () => {
    const folder = checkout({});
    symlinkSync('/etc/passwd', path.join(folder, 'orch.toml'));
    const { code, stderr } = await orchHere(falsehood, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).not.toContain('root:');
  });
});
