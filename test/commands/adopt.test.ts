import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';

/** A realistic formalisation: nothing in it was made for orch, and it is not tidy. */
const lakefile = `import Lake
open Lake DSL
/- lean_lib Wrong where /- nested -/ srcDir := "nowhere" -/
package «galois-theory» where
  -- "--" in a string is not a comment
  moreLinkArgs := #["--as-needed"]
  leanOptions := #[⟨\`autoImplicit, false⟩]

meta if get_config? env = some "dev" then
require «doc-gen4» from git "https://example.invalid/doc-gen4" @ "main"

require "leanprover-community" / "mathlib" @ git "v4.28.0"

@[default_target]
lean_lib Galois where
  globs := #[.andSubmodules \`Galois]

lean_exe tool where
  root := \`Tool

#eval (do IO.FS.writeFile "ran" "the lakefile was run" : IO Unit)
`;

const files: Readonly<Record<string, string>> = {
  'lakefile.lean': lakefile.replaceAll('\n', '\r\n'),
  'lean-toolchain': 'leanprover/lean4:v4.19.0\r\n',
  'lake-manifest.json': JSON.stringify({
    version: '1.1.0',
    packagesDir: '.lake/packages',
    packages: [{ type: 'git', name: 'mathlib', url: 'https://example.invalid/m', rev: 'abc' }],
  }),
  'Galois.lean': 'import Galois.Körper\nimport Galois.Gruppe\n',
  'Galois/Körper.lean': 'theorem körper : 1 = 1 := by\n  sorry -- sorry\n\n/- sorry -/\ndef s := "sorry"\n',
  'Galois/Gruppe.lean': 'theorem a : 2 = 2 := sorry\ntheorem sorry_free : 3 = 3 := by\n  admit\n',
  Makefile: 'all:\n\techo theirs\n',
  '.gitignore': '/.lake\n',
  '.github/workflows/ci.yml': 'name: ours\non: push\njobs: {a: {runs-on: x, steps: [{run: lake build}]}}\n',
  '.github/workflows/blueprint.yml': 'on: push\njobs: {a: {runs-on: x, steps: [{run: leanblueprint web}]}}\n',
  'blueprint/src/web.tex': '\\usepackage[dep_graph]{blueprint}\n\\input{content}\n',
  'blueprint/src/print.tex': '\\input{content}\n',
  'blueprint/src/content.tex':
    '\\begin{definition}\\label{def:k}\\lean{K}\\leanok\\end{definition}\n\\begin{theorem}\\label{thm:a}\\lean{a}\\leanok\\uses{def:k}\\end{theorem}\n\\begin{proof}\\uses{thm:lost}\\end{proof}\n',
};

function write(folder: string, all: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  });

function repository(all: Readonly<Record<string, string>> = files, name = 'Galois und Körper'): string {
  const folder = path.join(temporaryFolder(), name);
  write(folder, all);
  git(folder, 'init', '--quiet', '--initial-branch=trunk');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
  return folder;
}

/** Every entry below a folder with its kind, mode and content, git's own files included. */
function everything(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    entries.map((name) => {
      const place = path.join(folder, name);
      const { mode } = lstatSync(place);
      const what = lstatSync(place).isSymbolicLink()
        ? readlinkSync(place)
        : lstatSync(place).isFile()
          ? hash(readFileSync(place))
          : 'folder';
      return [name, `${mode.toString(8)} ${what}`];
    }),
  );
}

/** The same files in a subfolder. */
const below = (folder: string, all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, text]) => [`${folder}/${name}`, text]));

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Changed and removed entries. New ones do not belong to the project. */
function lost(before: Map<string, string>, folder: string): string[] {
  const now = everything(folder);
  return [...before].filter(([name, what]) => now.get(name) !== what).map(([name]) => name);
}

describe('a repository without orch files', () => {
  test('adopt runs twice without changing existing files, and undo removes all of its own', async () => {
    const cwd = repository();
    const before = everything(cwd);
    const first = await orchHere(['adopt', '--yes'], { cwd });
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(lost(before, cwd)).toEqual([]);
    expect(readFileSync(path.join(cwd, '.github/workflows/orch-sweep.yml'), 'utf8')).toContain(
      'ORCH_LEAN: lake',
    );
    const created = [...first.stdout.matchAll(/^created {2}(.*)$/gm)].map(([, name]) => name);
    expect(created).toEqual([
      '.orch/.gitignore',
      'orch.toml',
      '.github/workflows/orch-ci.yml',
      '.github/workflows/orch-heavy.yml',
      '.github/workflows/orch-sweep.yml',
      '.github/PULL_REQUEST_TEMPLATE.md',
    ]);
    expect(git(cwd, 'status', '--porcelain')).not.toContain('.orch/');
    const after = everything(cwd);

    const second = await orchHere(['adopt', '--yes'], { cwd });
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to write')]);
    expect(everything(cwd)).toEqual(after);

    const undone = await orchHere(['adopt', '--undo'], { cwd });
    expect([undone.code, undone.stderr]).toEqual([0, '']);
    expect(everything(cwd)).toEqual(before);
    const again = await orchHere(['adopt', '--undo'], { cwd });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('no record of an adoption')]);
  });

  test('its lakefile.lean, toolchain, packages, workflows, goals and blueprint are recognised', async () => {
    const cwd = repository();
    const { stdout } = await orchHere(['adopt', '--dry-run'], { cwd });
    for (const line of [
      /^branch +trunk$/m,
      /^workflows +blueprint\.yml, ci\.yml$/m,
      /^project +galois-theory \(lakefile\.lean\)$/m,
      /^libraries +Galois$/m,
      /^toolchain +leanprover\/lean4:v4\.19\.0$/m,
      /^requires +doc-gen4, mathlib \(not on this disk: mathlib\)$/m,
      /check \(the gate\) +needs a native Lean +the project uses 4\.19\.0, the embedded Lean is 4\.28\.0/,
      /blueprint status, graph, critical +works without Lean/,
      /sweep, ship, pull requests +does not work yet +there is no remote to push to/,
      /orch-docs\.yml: not needed\. blueprint\.yml publishes/,
      /Makefile: exists and is not changed/,
      /goals: 3 sorrys in 2 files/,
      /coverage: 2 nodes, 2 stated, 0 of 1 proved/,
      /critical path: thm:a$/m,
      /thm:lost/,
    ])
      expect(stdout).toMatch(line);
    expect(stdout).not.toContain('created');
    expect(git(cwd, 'status', '--porcelain')).toBe('');
  });

  test('nothing changes if the answer is no or missing', async () => {
    const cwd = repository();
    const before = everything(cwd);
    for (const input of ['n\n', '', 'yess\n']) {
      const { code, stdout } = await orchHere(['adopt'], { cwd, input });
      expect([code, stdout]).toEqual([1, expect.stringContaining('Nothing was written')]);
    }
    expect(everything(cwd)).toEqual(before);
    const agreed = await orchHere(['adopt'], { cwd, input: 'y\n' });
    expect([agreed.code, agreed.stdout]).toEqual([0, expect.stringContaining('created  orch.toml')]);
  });

  test('the plan is a short list; --diff, or d as an answer, prints every line', async () => {
    const cwd = repository();
    const { stdout } = await orchHere(['adopt', '--dry-run'], { cwd });
    expect(stdout).toMatch(/^new +orch\.toml +\d+ lines +settings, all commented out$/m);
    expect(stdout).toMatch(
      /^new +\.github\/workflows\/orch-ci\.yml +\d+ lines +on pushes and pull requests/m,
    );
    expect(stdout).not.toMatch(/^\+ /m);
    expect(stdout.split('\n').length).toBeLessThan(60);
    const whole = await orchHere(['adopt', '--dry-run', '--diff'], { cwd });
    expect(whole.stdout).toMatch(/^\+ name: CI$/m);
    const asked = await orchHere(['adopt'], { cwd, input: 'd\nn\n' });
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringMatching(/^\+ name: CI$/m)]);
    expect(git(cwd, 'status', '--porcelain')).toBe('');
  });

  test('keeps edits that people made to a file written by orch', async () => {
    const cwd = repository();
    await orchHere(['adopt', '--yes'], { cwd });
    writeFileSync(path.join(cwd, 'orch.toml'), 'profile = 1\n');
    writeFileSync(path.join(cwd, '.orch/ledger.db'), 'theirs');
    const second = await orchHere(['adopt', '--yes'], { cwd });
    expect([second.code, second.stdout]).toEqual([
      0,
      expect.stringContaining('orch.toml: exists and is not changed'),
    ]);
    const undone = await orchHere(['adopt', '--undo'], { cwd });
    expect([undone.code, undone.stdout]).toEqual([1, expect.stringContaining('kept  orch.toml')]);
    expect(readFileSync(path.join(cwd, 'orch.toml'), 'utf8')).toBe('profile = 1\n');
    // a ledger stays, and git still ignores it
    expect(git(cwd, 'status', '--porcelain')).toBe('?? orch.toml\n');
  });
});

describe('other repository layouts', () => {
  const small = {
    'lakefile.toml': 'name = "small"\n[[lean_lib]]\nname = "Small"\n',
    'Small.lean': 'theorem t : 1 = 1 := sorry\n',
  };

  test('a project in a subfolder: workflows at the top run there', async () => {
    const cwd = repository({ ...below('lean projekt', small), 'README.md': 'x' });
    const { code, stdout } = await orchHere(['adopt', '--yes'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('created  lean projekt/orch.toml')]);
    const ci = readFileSync(path.join(cwd, '.github/workflows/orch-ci.yml'), 'utf8');
    expect(ci).toContain('working-directory: "lean projekt"');
    expect(ci).toContain('branches: ["trunk"]');
    for (const kind of ['ci', 'heavy', 'sweep'])
      expect(errorsIn(readFileSync(path.join(cwd, `.github/workflows/orch-${kind}.yml`), 'utf8'))).toEqual(
        [],
      );
    const inside = await orchHere(['adopt', '--undo'], { cwd: path.join(cwd, 'lean projekt') });
    expect(inside.code).toBe(0);
    expect(git(cwd, 'status', '--porcelain', '--ignored')).toBe('');
  });

  test('two packages below lean/, a toolchain of their own, a blueprint with chapters, workflows with the names of ours', async () => {
    const theirs = {
      'lean/core/lakefile.lean':
        'import Lake\nopen Lake DSL\n\npackage «flag-algebra» where\n  version := v!"0.3.0"\n\nlean_lib FlagAlgebra where\n  srcDir := "src"\n',
      'lean/core/lean-toolchain': 'leanprover/lean4:v4.27.0\n',
      'lean/core/src/FlagAlgebra.lean': 'import FlagAlgebra.Density\n',
      'lean/core/src/FlagAlgebra/Density.lean':
        'namespace Flag\n/-- not sorry -/\ntheorem density_le_one (n : Nat) : n / (n + 1) ≤ 1 := by\n  sorry\nend Flag\n',
      'lean/core/blueprint/src/web.tex':
        '\\usepackage[dep_graph, dep_by=chapter]{blueprint}\n\\input{content}\n',
      'lean/core/blueprint/src/content.tex': '\\input{chapter/density}\n\\input{chapter/limits}\n',
      'lean/core/blueprint/src/chapter/density.tex':
        '\\chapter{Density}\n\\begin{lemma}\\label{lem:d}\\lean{Flag.density_le_one}\\leanok\\end{lemma}\n\\begin{proof}Divide.\\end{proof}\n',
      'lean/core/blueprint/src/chapter/limits.tex':
        '\\chapter{Limits}\n\\begin{theorem}\\label{thm:l}\\uses{lem:d}\\end{theorem}\n\\begin{proof}\\uses{lem:d}By compactness.\\end{proof}\n',
      'lean/tools/lakefile.lean':
        'import Lake\nopen Lake DSL\npackage tools\nrequire «flag-algebra» from ".." / "core"\nlean_exe draw where\n  root := `Draw\n',
      'lean/tools/lean-toolchain': 'leanprover/lean4:v4.27.0\n',
      'lean/tools/Draw.lean': 'import FlagAlgebra\ndef main : IO Unit := pure ()\n',
      '.github/workflows/ci.yml':
        'name: CI\non: [push]\njobs:\n  build: {runs-on: x, steps: [{run: "cd lean/core && lake build"}]}\n  orch: {runs-on: x, steps: [{run: echo ours}]}\n  blueprint: {runs-on: x, steps: [{run: echo ours}]}\n  milestone: {runs-on: x, steps: [{run: echo ours}]}\n',
      '.github/workflows/orch-docs.yml':
        'name: Docs\non: [push]\njobs: {docs: {runs-on: x, steps: [{run: make pdf}]}}\n',
      'paper/main.tex': '\\documentclass{article}\n',
      'README.md': '# Flag algebras\r\n',
    };
    const cwd = repository(theirs, 'flags');
    writeFileSync(path.join(cwd, 'notes.txt'), 'not committed\n');
    const before = everything(cwd);
    const first = await orchHere(['adopt', '--yes'], { cwd });
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(lost(before, cwd)).toEqual([]);
    for (const line of [
      /^project +flag-algebra in lean\/core \(lakefile\.lean\)$/m,
      /^project +tools in lean\/tools \(lakefile\.lean\)$/m,
      /the project uses 4\.27\.0, the embedded Lean is 4\.28\.0/,
      /^created {2}\.github\/workflows\/lean-core-orch-ci\.yml$/m,
      /critical path: lem:d → thm:l/,
      /First report on tools/,
    ])
      expect(first.stdout).toMatch(line);
    const ci = readFileSync(path.join(cwd, '.github/workflows/lean-core-orch-ci.yml'), 'utf8');
    expect(ci).toContain('name: flag-algebra CI');
    expect(ci).not.toContain('lean-action');
    expect(ci).not.toContain('orch check --changed');
    expect(errorsIn(ci)).toEqual([]);
    const after = everything(cwd);
    const second = await orchHere(['adopt', '--yes'], { cwd });
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('Nothing to write')]);
    expect(everything(cwd)).toEqual(after);
    const undone = await orchHere(['adopt', '--undo'], { cwd });
    expect([undone.code, undone.stderr]).toEqual([0, '']);
    expect(everything(cwd)).toEqual(before);
  });

  test('several projects: each has its own settings and workflows; fetched packages and submodules are not ours', async () => {
    const cwd = repository({
      ...below('one', small),
      ...below('two', small),
      ...below('two/docbuild', small),
      ...below('.lake/packages/batteries', small),
    });
    write(cwd, below('sub', { ...small, '.git': 'gitdir: ../.git/modules/sub\n' }));
    const { stdout } = await orchHere(['adopt', '--yes'], { cwd });
    const created = [...stdout.matchAll(/^created {2}(.*)$/gm)].map(([, name = '']) => name);
    expect(created.filter((name) => name.endsWith('orch.toml'))).toEqual(['one/orch.toml', 'two/orch.toml']);
    expect(created.filter((name) => name.endsWith('ci.yml'))).toEqual([
      '.github/workflows/one-orch-ci.yml',
      '.github/workflows/two-orch-ci.yml',
    ]);
    expect(stdout).toContain('Lake projects inside: two/docbuild');
    await orchHere(['adopt', '--undo'], { cwd });
    expect(git(cwd, 'status', '--porcelain', '--', ':!sub')).toBe('');
  });

  test('a package that is not on this disk matters only if a file imports it', async () => {
    const cwd = repository({
      'lakefile.toml':
        'name = "small"\n[[require]]\nname = "checkdecls"\n[[require]]\nname = "mathlib"\n[[lean_lib]]\nname = "Small"\n',
      'Small.lean': 'import Small.Basic\nimport Lean\n',
      'Small/Basic.lean': '\n',
    });
    const adopt = async (): Promise<string> => (await orchHere(['adopt', '--dry-run'], { cwd })).stdout;
    expect(await adopt()).toMatch(
      /^ +check \(the gate\) +works with the embedded Lean .* no file imports checkdecls, mathlib \(not on this disk\)$/m,
    );
    writeFileSync(path.join(cwd, 'Small/Basic.lean'), 'import Mathlib.Order.Basic\n');
    expect(await adopt()).toMatch(
      /^ +check \(the gate\) +does not work yet +.*checkdecls, mathlib; files import Mathlib\.Order\.Basic; run lake update$/m,
    );
  });

  test('no git: settings alone', async () => {
    const cwd = temporaryFolder();
    write(cwd, small);
    const { code, stdout } = await orchHere(['adopt', '--yes'], { cwd });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Workflows: left out. This is not a git repository'),
    ]);
    expect(readdirSync(cwd).toSorted()).toEqual([
      '.orch',
      'Makefile',
      'Small.lean',
      'lakefile.toml',
      'orch.toml',
    ]);
  });

  test('a detached commit, and a remote that is not GitHub', async () => {
    const cwd = repository(small);
    git(cwd, 'checkout', '--quiet', '--detach');
    git(cwd, 'remote', 'add', 'origin', 'https://user:password@gitlab.example.invalid/a/b.git');
    const { stdout } = await orchHere(['adopt', '--dry-run'], { cwd });
    expect(stdout).toMatch(/^branch +none \(a commit is checked out\)$/m);
    expect(stdout).toContain('They are for GitHub, and origin is https://gitlab.example.invalid/a/b.git.');
    expect(stdout).not.toContain('password');
  });

  test('no project: the message says what to do', async () => {
    const empty = await orchHere(['adopt'], { cwd: temporaryFolder() });
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('orch init DIR')]);
    const cwd = repository(small);
    mkdirSync(path.join(cwd, 'notes'));
    const inside = await orchHere(['adopt', 'notes'], { cwd });
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('is part of the Lake project')]);
    expect((await orchHere(['adopt', 'nowhere'], { cwd })).code).toBe(2);
  });

  test.each(['lakefile.toml', 'lakefile.lean'])(
    'init refuses a folder with a %s and points to adopt',
    async (name) => {
      const cwd = temporaryFolder();
      write(cwd, { [name]: small['lakefile.toml'] });
      const { code, stderr } = await orchHere(['init'], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining('orch adopt')]);
      expect(readdirSync(cwd)).toEqual([name]);
    },
  );
});

describe('a checkout that tries to redirect writes', () => {
  const small = { 'lakefile.toml': 'name = "small"\n', 'Small.lean': '' };

  test.each(['.github', '.github/workflows', '.orch', 'orch.toml'])(
    'a link at %s is not followed, and no partial file remains',
    async (link) => {
      const outside = temporaryFolder();
      const cwd = repository(small);
      mkdirSync(path.dirname(path.join(cwd, link)), { recursive: true });
      symlinkSync(link === 'orch.toml' ? path.join(outside, 'made') : outside, path.join(cwd, link));
      const before = everything(cwd);
      const { code } = await orchHere(['adopt', '--yes'], { cwd });
      expect(readdirSync(outside)).toEqual([]);
      expect(lost(before, cwd)).toEqual([]);
      if (link !== 'orch.toml') {
        expect(code).toBe(2);
        expect(everything(cwd)).toEqual(before);
      }
    },
  );

  test('an adoption record that came with the checkout deletes nothing', async () => {
    for (const name of ['Small.lean', '../victim', 'Makefile']) {
      const cwd = repository({
        ...small,
        Makefile: 'theirs',
        '.orch/adopted.json': JSON.stringify({
          version: 1,
          files: { [name]: hash(name === 'Small.lean' ? '' : 'theirs') },
          folders: [],
        }),
      });
      writeFileSync(path.join(cwd, '../victim'), 'theirs');
      const before = everything(path.dirname(cwd));
      const undone = await orchHere(['adopt', '--undo'], { cwd });
      expect([undone.code, undone.stderr]).toEqual([
        2,
        expect.stringContaining('not a record that orch wrote'),
      ]);
      expect(everything(path.dirname(cwd))).toEqual(before);
    }
  });

  test('names with shell or workflow syntax reach neither shell nor workflow', async () => {
    const cwd = repository({
      ...small,
      'lakefile.toml': 'name = "a$(touch ran)"\n[[lean_lib]]\nname = "A"\n',
    });
    git(cwd, 'checkout', '--quiet', '-b', '${{github.token}}');
    const { code, stdout } = await orchHere(['adopt', '--yes'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Makefile and workflows: left out')]);
    rmSync(path.join(cwd, '.git'), { recursive: true });
    for (const name of readdirSync(cwd, { recursive: true, encoding: 'utf8' }))
      if (/orch\.toml$|\.orch\//.test(name))
        expect(readFileSync(path.join(cwd, name), 'utf8')).not.toContain('touch');
  });
});

function errorsIn(content: string): string[] {
  const { context } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
