import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

/**
 * Checkouts with strange content. Whatever it is, orch ends with one of its own exit codes and no stack trace,
 * nothing of the checkout runs, nothing outside it is shown or changed, and no control character reaches the
 * terminal.
 */
const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const secret = 'TOPSECRETPAYLOAD';
const control = '\u001B]0;owned\u0007\u001B[2J\u202E';

class Checkout {
  readonly folder = path.join(temporaryFolder(), 'checkout');
  readonly outside = temporaryFolder();
  readonly ran = path.join(this.outside, 'ran');

  constructor() {
    this.write('A.lean', 'theorem a : 1 + 1 = 2 := by\n  sorry\n');
    writeFileSync(
      path.join(this.outside, 'Secret.lean'),
      `theorem ${secret} : 1 = 1 := rfl\n#check ${secret}\n`,
    );
    writeFileSync(path.join(this.outside, 'secret.txt'), `\\input{x} ${secret}\nname = "${secret}"\n`);
  }

  write(name: string, text: string, mode = 0o644): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  }

  link(name: string, target: string): void {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(target, file);
  }

  program(name: string): void {
    this.write(name, `#!/bin/sh\necho "$0 $*" >> ${this.ran}\nexit 0\n`, 0o755);
  }

  git(...args: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: this.folder,
      stdio: 'ignore',
    });
  }

  /** The files outside, by name and content. */
  state(): Record<string, string> {
    return Object.fromEntries(
      readdirSync(this.outside, { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(this.outside, name))
        .map((file) => [file, statSync(file).isFile() ? readFileSync(file, 'latin1') : '']),
    );
  }
}

const lakefile = 'name = "x"\n[[lean_lib]]\nname = "X"\n';
const imports = 'import X.B\ntheorem x : 1 = 1 := rfl\n';

const strange: Readonly<Record<string, (checkout: Checkout) => void>> = {
  'a module that links to a device': (it) => {
    it.write('lakefile.toml', lakefile);
    it.write('X.lean', imports);
    it.link('X/B.lean', '/dev/zero');
  },
  'a module that links to a file outside': (it) => {
    it.write('lakefile.toml', lakefile);
    it.write('X.lean', imports);
    it.link('X/B.lean', path.join(it.outside, 'Secret.lean'));
  },
  'a folder of modules that links outside': (it) => {
    it.write('lakefile.toml', 'name = "x"\n[[lean_lib]]\nname = "X"\nglobs = ["X.*"]\n');
    it.write('X.lean', 'import X.Secret\n');
    it.link('X', it.outside);
  },
  'a pipe for a Lean file': (it) => {
    execFileSync('mkfifo', [path.join(it.folder, 'B.lean')]);
  },
  'a toolchain that links to a device': (it) => {
    it.write('lakefile.toml', lakefile);
    it.link('lean-toolchain', '/dev/zero');
  },
  'a manifest that links to a device': (it) => {
    it.write('lakefile.toml', lakefile);
    it.link('lake-manifest.json', '/dev/zero');
  },
  'a lakefile that links to a secret': (it) => it.link('lakefile.toml', path.join(it.outside, 'secret.txt')),
  'a lakefile without end': (it) => {
    it.write('lakefile.lean', 'import Lake\n');
    truncateSync(path.join(it.folder, 'lakefile.lean'), 8e9);
  },
  'a Lean file without end': (it) => {
    it.write('B.lean', '');
    truncateSync(path.join(it.folder, 'B.lean'), 8e9);
  },
  'a manifest with packages elsewhere, and names that write to the terminal': (it) => {
    it.write('lakefile.toml', `${lakefile}[[require]]\nname = "e\\u001b[2Jvil"\n`);
    it.write('X.lean', 'import Secret\n');
    const packages = [
      { type: 'path', name: control, dir: it.outside },
      { type: 'git', name: '../../..', url: 'ext::sh -c evil', rev: '--upload-pack=evil' },
      { type: 'git', name: '__proto__' },
    ];
    it.write('lake-manifest.json', JSON.stringify({ packagesDir: '../../../..', packages }));
  },
  'a manifest that is nested deeply': (it) => {
    it.write('lakefile.toml', lakefile);
    it.write('lake-manifest.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  },
  'a library whose folder is the whole disk': (it) => {
    it.write(
      'lakefile.toml',
      'name = "x"\nsrcDir = "../../../../../.."\n[[lean_lib]]\nname = "etc"\nglobs = ["etc.*"]\n',
    );
  },
  'programs under the names of ours': (it) => {
    for (const name of ['lean', 'lake', 'git', 'bwrap', 'node', 'elan', 'gh', 'node_modules/.bin/lake'])
      it.program(name);
    it.write('lean-toolchain', 'leanprover/lean4:v4.28.0\n');
    it.write('lakefile.lean', 'import Lake\n#eval (IO.Process.run { cmd := "./lean" })\npackage x\n');
    it.write('.npmrc', 'script-shell=./lean\nnode-options=--require ./evil.cjs\n');
    it.write(
      'package.json',
      '{"name":"orch","scripts":{"preinstall":"./lean","orch":"./lean"},"workspaces":["."]}',
    );
  },
  'a lakefile, a toolchain, a lock and a cache of Lake that name programs': (it) => {
    for (const name of ['evil.sh', 'evil/bin/lean', 'evil/bin/lake']) it.program(name);
    it.write('lean-toolchain', `${it.folder}/evil\n`);
    it.write(
      'lakefile.toml',
      [
        'name = "x"',
        'extraDepTargets = ["evil"]',
        'precompileModules = true',
        'testDriver = "evil"',
        'moreLeanArgs = ["--plugin=./evil.so", "--load-dynlib=./evil.so"]',
        '[[lean_lib]]',
        'name = "X"',
        'plugins = ["evil"]',
      ].join('\n'),
    );
    it.write('.lake/lakefile.olean', 'olean\0');
    it.write(
      '.lake/package-overrides.json',
      JSON.stringify({
        version: '1.1.0',
        packages: [{ type: 'path', name: 'p', dir: it.outside, inherited: false }],
      }),
    );
    it.write('X.lean', 'theorem x : 1 = 1 := rfl\n');
  },
  'variables in .env that are not ours': (it) => {
    it.program('evil.sh');
    it.write('evil.cjs', `require('fs').writeFileSync(${JSON.stringify(it.ran)}, '')`);
    it.write(
      '.env',
      `NODE_OPTIONS=--require ./evil.cjs\nPATH=.\nHOME=.\nXDG_CONFIG_HOME=.\nXDG_CACHE_HOME=.\nLD_PRELOAD=./evil.so\nGIT_SSH_COMMAND=./evil.sh\nPGSERVICEFILE=./x\nORCH_LEAN=./evil.sh\norch_lean=./evil.sh\nORCH_LEDGER=${it.outside}/ledger.db\n`,
    );
    it.write(
      'orch/trusted.json',
      `{"version":1,"folders":{${JSON.stringify(it.folder)}:{"since":"","files":{}}}}`,
    );
  },
  'settings beside the prototype': (it) => it.write('orch.toml', '__proto__ = { lean = "./evil.sh" }\n'),
  'settings with control characters': (it) => it.write('orch.toml', '"\\u001b[2J\\u202e" = 1\n'),
  'a git folder that is a file and leads to another repository': (it) => {
    execFileSync('git', ['init', '--quiet', path.join(it.outside, 'repository')]);
    it.write('.git', `gitdir: ${it.outside}/repository/.git\n`);
  },
  'submodules that run programs': (it) => {
    it.program('evil.sh');
    it.git('init', '--quiet');
    it.write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ext::./evil.sh\n\tupdate = !./evil.sh\n');
    it.git('add', '--all');
    it.git('commit', '--quiet', '--message', 'first');
    it.git('config', 'submodule.x.update', '!./evil.sh');
    it.git('config', 'submodule.x.url', 'ext::./evil.sh');
  },
  'attributes and filters that run programs': (it) => {
    it.program('evil.sh');
    it.git('init', '--quiet');
    it.write(
      '.gitattributes',
      '* filter=evil diff=evil merge=evil text eol=crlf working-tree-encoding=UTF-16\n',
    );
    for (const key of [
      'filter.evil.clean',
      'filter.evil.process',
      'diff.evil.textconv',
      'merge.evil.driver',
      'core.editor',
      'core.pager',
    ])
      it.git('config', key, './evil.sh');
  },
  'file names that nobody should print': (it) => {
    for (const name of [
      `${control}.lean`,
      'b\n::error::c.lean',
      '--help.lean',
      '-rf.lean',
      '«».lean',
      '$(touch x).lean',
      ' .lean',
      '%0A.lean',
    ])
      it.write(name, 'theorem b : False := by trivial\n');
  },
  'a folder that links to itself': (it) => {
    it.link('loop', '.');
    it.link('up', '..');
    it.link('root', '/');
  },
  'a deep tree': (it) => it.write(`${'d/'.repeat(900)}B.lean`, 'theorem b : 1 = 1 := rfl\n'),
  'a blueprint that includes files from elsewhere': (it) => {
    it.write('lakefile.toml', lakefile);
    it.write(
      'blueprint/src/content.tex',
      `\\input{${it.outside}/secret.txt}\\input{../../../secret}\\input{/dev/zero}\\input{content}\\begin{theorem}\\label{${control}}\\lean{A}\\end{theorem}`,
    );
    it.link('blueprint/src/web.tex', path.join(it.outside, 'secret.txt'));
  },
  'a ledger whose views never end and whose triggers change everything': (it) => {
    mkdirSync(path.join(it.folder, '.orch'));
    const database = new DatabaseSync(path.join(it.folder, '.orch/ledger.db'));
    database.exec(
      `PRAGMA application_id = 1869767528; PRAGMA user_version = 16; CREATE TABLE bandit (one, starting_mean, learning_rate);
       CREATE VIEW events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 1000;
       CREATE TRIGGER t AFTER INSERT ON bandit BEGIN DELETE FROM bandit; END`,
    );
    database.close();
  },
  'state that is not what it should be': (it) => {
    for (const name of [
      'ledger.db',
      'scripts.db',
      'adopted.json',
      'sweep/proofs.patch',
      'arc/rows.jsonl',
      'shipments.json',
    ])
      it.write(`.orch/${name}`, `${'{"a":['.repeat(10_000)}${control}`);
  },
  'pipes for a ledger, a git folder and its objects': (it) => {
    it.git('init', '--quiet');
    it.git('add', '--all');
    it.git('commit', '--quiet', '--message', 'first');
    for (const name of ['.orch/ledger.db', '.orch/scripts.db', '.orch/adopted.json', 'sub/.git']) {
      mkdirSync(path.dirname(path.join(it.folder, name)), { recursive: true });
      execFileSync('mkfifo', [path.join(it.folder, name)]);
    }
  },
  'rows that name files elsewhere': (it) => {
    it.write(
      'goals.jsonl',
      [
        {
          id: control,
          statement: 'theorem a : 1 = 1',
          source: `${it.outside}/Secret.lean:1`,
          project: it.outside,
          file: '/etc/passwd',
        },
        { id: '../../x', statement: `theorem ${control} : 1 = 1` },
        {
          id: '__proto__',
          statement: 'theorem a : 1 = 1',
          imports: ['../../../etc/passwd', '/etc/passwd', control],
        },
        { id: 'x'.repeat(1_000_000), statement: 'theorem a : 1 = 1' },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
  },
};

/** None of them needs more than a few seconds; `check` and `run` start Lean. */
const commands: readonly (readonly string[])[] = [
  ['check', '.', '--timeout', '20'],
  ['run', '.', '--timeout', '20', '--goal-cpu', '1', '--profile', '0'],
  ['run', 'goals.jsonl', '--timeout', '20', '--goal-cpu', '1', '--profile', '0'],
  ['blueprint', 'critical'],
  ['adopt', '--dry-run'],
  ['stats'],
];
const controls = /[[\p{Cc}\p{Cf}]--[\n\t]]/v;

test.for(Object.entries(strange))(
  '%s: nothing in it runs, and nothing outside is shown or changed',
  async ([, build]) => {
    const it = new Checkout();
    build(it);
    const before = it.state();
    const config = temporaryFolder();
    for (const args of commands) {
      if (args[1] === 'goals.jsonl' && !existsSync(path.join(it.folder, 'goals.jsonl'))) continue;
      const env = { ORCH_LEAN: undefined, CI: undefined, XDG_CONFIG_HOME: config };
      const { code, stdout, stderr } = await orch(args, { cwd: it.folder, env });
      const said = stdout + stderr;
      const faults = {
        exit: ![0, 1, 2, 3].includes(code ?? -1),
        bug: /a bug; please report it|^ +at \S+ \(/m.test(said),
        secret: said.includes(secret),
        controls: controls.test(said),
        outside: JSON.stringify(it.state()) !== JSON.stringify(before),
      };
      expect({ args, said, faults: Object.entries(faults).filter(([, is]) => is) }).toEqual({
        args,
        said,
        faults: [],
      });
    }
  },
);

test('neither mcp nor serve runs a checker of the checkout', async () => {
  const it = new Checkout();
  it.program('evil.sh');
  it.write('orch.toml', 'lean = "./evil.sh"\nmodel = "cmd:./evil.sh"\n');
  it.write('lean-toolchain', 'evil/lean4:v4.28.0\n');
  it.write('lakefile.lean', 'import Lake\n#eval (IO.Process.run { cmd := "./evil.sh" })\npackage x\n');
  const XDG_CONFIG_HOME = temporaryFolder();
  const claim = 'theorem f : False := by trivial';
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp'],
      cwd: it.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', XDG_CONFIG_HOME },
      stderr: 'ignore',
    }),
  );
  const called = await client.callTool({ name: 'lean_run_code', arguments: { code: claim } });
  expect(JSON.stringify(called)).toContain('error');
  await client.close();

  const stop = new AbortController();
  const served = orch(['serve', '--port', '18761'], {
    cwd: it.folder,
    env: { ORCH_LEAN: undefined, CI: undefined, XDG_CONFIG_HOME },
    stop: stop.signal,
  });
  const body = JSON.stringify({ snippets: [{ id: 'f', code: claim }] });
  const asked = async (): Promise<string> => {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const answer = await fetch('http://127.0.0.1:18761/api/check', init).catch(() => undefined);
    return (await answer?.text()) ?? '';
  };
  await expect.poll(asked, { interval: 1000 }).toContain('error');
  stop.abort();
  await served;
  expect(existsSync(it.ran)).toBe(false);
});
