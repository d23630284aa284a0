import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closureOf, graphOf } from '../../../src/lean/project/graph.ts';
import { readHeader } from '../../../src/lean/base/header.ts';
import { findProject } from '../../../src/lean/project/project.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

const at = (...names: string[]): string => path.join(folder, ...names);

describe('a header', () => {
  it('is read in both styles, after comments, and ends where Lean ends it', () => {
    expect(
      readHeader('\uFEFF-- a\n/- b /- c -/ -/\nimport A.B import «x y».C\n/-- doc -/\nimport D'),
    ).toEqual({
      isModule: false,
      imports: [
        { module: 'A.B', all: false, public: true, meta: false },
        { module: '«x y».C', all: false, public: true, meta: false },
      ],
    });
    expect(
      readHeader('module\npublic import A\npublic meta import B\nimport all C\ndef x := 1\nimport D'),
    ).toEqual({
      isModule: true,
      imports: [
        { module: 'A', all: false, public: true, meta: false },
        { module: 'B', all: false, public: true, meta: true },
        { module: 'C', all: true, public: false, meta: false },
      ],
    });
    expect(readHeader('modulename')).toEqual({ isModule: false, imports: [] });
  });
});

describe('a project', () => {
  it('is a plain folder without a lakefile; imports are found from the nearest folder that has them', () => {
    write({ 'src/A/B.lean': 'import A.C', 'src/A/C.lean': '', 'other.lean': '' });
    const project = findProject(at('src/A/B.lean'));
    expect(project.folder).toBe(at('src'));
    expect(project.moduleAt(at('src/A/B.lean')).name).toBe('A.B');
    expect(findProject(at('other.lean')).folder).toBe(folder);
  });

  it('is described by lakefile.toml: libraries, globs, options, and the packages of the manifest', () => {
    write({
      'lakefile.toml': `name = "sums"
leanOptions = { autoImplicit = false, pp.unicode.fun = true }
[[lean_lib]]
name = "Sums"
srcDir = "src"
globs = ["Sums.+"]
moreLeanArgs = ["-DmaxRecDepth=2000"]
[[lean_exe]]
name = "tool"
root = "Main"
`,
      'lean-toolchain': 'leanprover/lean4:v4.28.0\n',
      'lake-manifest.json': JSON.stringify({
        version: '1.1.0',
        packagesDir: '.lake/packages',
        packages: [
          { type: 'git', name: 'batteries' },
          { type: 'path', name: 'near', dir: 'near' },
          { type: 'git', name: 'absent' },
        ],
      }),
      'src/Sums/Basic.lean': 'import Batteries.Data\nimport Near\nimport Std.Data.HashMap\nimport Absent',
      'src/Sums/Deep/More.lean': 'import Sums.Basic',
      'Main.lean': 'import Sums.Basic',
      '.lake/packages/batteries/lakefile.toml': 'name = "batteries"\n[[lean_lib]]\nname = "Batteries"\n',
      '.lake/packages/batteries/Batteries/Data.lean': '',
      'near/lakefile.lean':
        'import Lake\nopen Lake DSL\npackage near where\n  leanOptions := #[⟨`autoImplicit, true⟩]\nlean_lib Near\n',
      'near/Near.lean': '',
    });
    const project = findProject(at('src/Sums/Deep'));
    expect(project.folder).toBe(folder);
    expect(project.toolchain).toBe('leanprover/lean4:v4.28.0');
    expect(project.targets().map(({ name }) => name)).toEqual(['Sums.Basic', 'Sums.Deep.More', 'Main']);
    const graph = graphOf(project, project.targets());
    expect(graph.order.map(({ name }) => name)).toEqual([
      'Batteries.Data',
      'Near',
      'Sums.Basic',
      'Sums.Deep.More',
      'Main',
    ]);
    expect(graph.byName.get('Sums.Basic')).toMatchObject({
      missing: ['Absent'],
      options: { autoImplicit: false, 'pp.unicode.fun': true, maxRecDepth: 2000 },
    });
    expect(graph.byName.get('Near')?.options).toEqual({ autoImplicit: true });
    expect(graph.library).toEqual(['Std.Data.HashMap']);
    expect([...closureOf(graph, ['Sums.Basic'])].toSorted()).toEqual([
      'Batteries.Data',
      'Near',
      'Sums.Basic',
    ]);
  });

  it('finds the packages that replace those of the manifest', () => {
    write({
      'lakefile.toml': 'name = "sums"\n[[lean_lib]]\nname = "Sums"\n',
      'lake-manifest.json': manifestOf('first'),
      '.lake/package-overrides.json': manifestOf('second'),
      'Sums.lean': 'import Near',
      ...Object.fromEntries(
        ['first', 'second'].flatMap((name) => [
          [`${name}/lakefile.toml`, 'name = "near"\n[[lean_lib]]\nname = "Near"\n'],
          [`${name}/Near.lean`, ''],
        ]),
      ),
    });
    expect(findProject(folder).find('Near')?.file).toBe(at('second/Near.lean'));
    write({ '.lake/package-overrides.json': '[' });
    expect(() => findProject(folder)).toThrow(/package-overrides.json cannot be read/);
  });

  it('is described by lakefile.lean', () => {
    write({
      'lakefile.lean': `import Lake
open Lake DSL

abbrev common : Array LeanOption := #[⟨\`autoImplicit, false⟩, ⟨\`pp.unicode.fun, true⟩]

package «my sums» where
  -- leanOptions := #[⟨\`no, true⟩]
  leanOptions := common

require "leanprover-community" / "batteries" @ git "main"

@[default_target]
lean_lib Sums where
  srcDir := "src"
  globs := #[.andSubmodules \`Sums, .one \`Extra]

lean_exe tool where
  root := \`Main
`,
      'src/Sums.lean': '',
      'src/Sums/One.lean': '',
      'src/Extra.lean': '',
      'Main.lean': '',
    });
    const project = findProject(folder);
    expect(project.targets().map(({ name }) => name)).toEqual(['Sums', 'Sums.One', 'Extra', 'Main']);
    expect(project.targets()[0]?.options).toEqual({ autoImplicit: false, 'pp.unicode.fun': true });
  });

  it('reports the modules of an import cycle and builds the others', () => {
    write({ 'A.lean': 'import B', 'B.lean': 'import C', 'C.lean': 'import B', 'D.lean': '' });
    const project = findProject(folder);
    const graph = graphOf(project, project.targets());
    expect(graph.cycle).toEqual(['B', 'C', 'B']);
    expect(graph.order.map(({ name }) => name)).toEqual(['A', 'D']);
  });

  it.each([
    ['a link to a device', '/dev/zero'],
    ['a link to a file elsewhere', path.join(import.meta.dirname, 'project.test.ts')],
    ['a link to another user’s folder', path.join(os.homedir(), '..')],
  ])('does not read a module that is %s', (_, target) => {
    write({ 'A.lean': 'import B', 'C.lean': '' });
    symlinkSync(target, at('B.lean'));
    const project = findProject(folder);
    const targets = [{ name: 'A', file: at('A.lean'), options: {} }];
    expect(() => graphOf(project, targets)).toThrow(
      /module B .* is (?:a link to a file outside|not a plain file)/,
    );
  });

  it('does not read devices in place of its configuration files', () => {
    for (const name of ['lean-toolchain', 'lake-manifest.json']) {
      write({ 'lakefile.toml': 'name = "x"\n' });
      symlinkSync('/dev/zero', at(name));
      expect(() => findProject(folder)).toThrow(`${name} is not a plain file`);
      rmSync(at(name));
    }
    write({ 'lakefile.lean': '' });
    truncateSync(at('lakefile.lean'), 8e9);
    expect(() => findProject(folder)).toThrow(/8000000000 bytes/);
  });

  it('refuses an unreadable lakefile, with the line', () => {
    write({ 'lakefile.toml': 'name = "x"\n[[lean_lib\n' });
    expect(() => findProject(folder)).toThrow(/lakefile\.toml: line 2/);
  });
});

/** A manifest of one package, in this folder. */
function manifestOf(dir: string): string {
  return JSON.stringify({ packages: [{ type: 'path', name: 'near', dir }] });
}
