import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { libraryName, lineDiff, planScaffold } from '../../src/app/scaffold.ts';
import { writeWhole } from '../../src/io/whole-file.ts';
import { readBlueprint } from '../../src/lean/blueprint/read.ts';
import { readPackage } from '../../src/lean/project/lake.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const plain = { name: 'my-project', mathlib: false, copilot: false };

function write(choice = plain): void {
  for (const { file, text } of planScaffold(folder, choice)) writeWhole(path.join(folder, file), text);
}

describe('a new repository', () => {
  test('has every file, and orch reads it: Lake package, blueprint', () => {
    write();
    expect(planScaffold(folder, plain).map(({ file }) => file)).toEqual([
      'lean-toolchain',
      'lakefile.toml',
      'lake-manifest.json',
      'MyProject.lean',
      'MyProject/Basic.lean',
      '.gitignore',
      'Makefile',
      'blueprint/src/web.tex',
      'blueprint/src/print.tex',
      'blueprint/src/content.tex',
      'blueprint/src/plastex.cfg',
      'blueprint/src/latexmkrc',
      '.github/workflows/ci.yml',
      '.github/workflows/docs.yml',
      '.github/workflows/heavy.yml',
      '.github/workflows/sweep.yml',
      '.github/dependabot.yml',
      '.github/PULL_REQUEST_TEMPLATE.md',
      '.env.example',
      'orch.toml',
    ]);
    expect(readPackage(folder)).toMatchObject({
      name: 'my-project',
      toolchain: 'leanprover/lean4:v4.28.0',
      libraries: [{ name: 'MyProject' }],
    });
    expect(readBlueprint(folder).statements.map(({ declarations }) => declarations)).toEqual([
      ['MyProject.double'],
      ['MyProject.double_eq'],
    ]);
  });

  test('with Mathlib and Lean Copilot it pins both, and leaves the manifest to Lake', () => {
    write({ ...plain, mathlib: true, copilot: true });
    const lakefile = readFileSync(path.join(folder, 'lakefile.toml'), 'utf8');
    expect(lakefile).toMatch(/^moreLinkArgs = .*-lctranslate2/m);
    expect(lakefile.match(/^rev = "v4.28.0"$/gm)).toHaveLength(2);
    expect(planScaffold(folder, { ...plain, mathlib: true }).map(({ file }) => file)).not.toContain(
      'lake-manifest.json',
    );
    for (const { text } of planScaffold(folder, plain)) expect(text).not.toMatch(/(?<!\$)\{\{[#/\w]/);
  });
});

describe('a second time', () => {
  test('nothing changes', () => {
    write();
    expect(new Set(planScaffold(folder, plain).map(({ state }) => state))).toEqual(new Set(['same']));
  });

  test('changed files are reported, with the lines', () => {
    write();
    writeFileSync(path.join(folder, 'lean-toolchain'), 'leanprover/lean4:v4.0.0\n');
    const changed = planScaffold(folder, plain).find(({ state }) => state === 'different');
    expect(lineDiff(changed?.before ?? '', changed?.text ?? '')).toBe(
      '- leanprover/lean4:v4.0.0\n+ leanprover/lean4:v4.28.0',
    );
  });
});

test.each(['ci', 'docs', 'heavy', 'sweep'])("%s.yml is a workflow by GitHub's own schema", (name) => {
  const file = planScaffold(folder, plain).find((one) => one.file === `.github/workflows/${name}.yml`);
  expect(errorsIn(file?.text ?? '')).toEqual([]);
  expect(errorsIn((file?.text ?? '').replace('runs-on:', 'runs-onn:'))).not.toEqual([]);
});

function errorsIn(content: string): string[] {
  const { context } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

test('names of libraries', () => {
  expect(['my-project', 'Sphere', '2nd', 'a_b c'].map(libraryName)).toEqual([
    'MyProject',
    'Sphere',
    'Project2nd',
    'ABC',
  ]);
});

test('a diff shows removed and added lines', () => {
  expect(lineDiff('a\nb\nc', 'a\nc\nd')).toBe('- b\n+ d');
  expect(lineDiff('same', 'same')).toBe('');
});
