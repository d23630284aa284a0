import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { build } from '../../../src/lean/project/build.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { TestProject } from '../../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await TestProject.open();
});
afterAll(async () => await project.close());

test('a broken module of a package is kept, and whatever depends on its broken part is refused', async () => {
  project.write('lent/lakefile.toml', 'name = "lent"\n[[lean_lib]]\nname = "Mine"\n');
  const packages = [{ type: 'path', name: 'dep', dir: 'dep' }];
  project.write('lent/lake-manifest.json', JSON.stringify({ packages }));
  project.write('lent/dep/lakefile.toml', 'name = "dep"\n[[lean_lib]]\nname = "Dep"\n');
  project.write('lent/dep/Dep.lean', 'theorem whole : 1 = 1 := rfl\ntheorem broken : 1 = 2 := rfl\n');
  const text = 'import Dep\ntheorem on_whole : 1 = 1 := whole\ntheorem on_broken : 1 = 2 := broken\n';
  const file = project.write('lent/Mine.lean', text);
  const environment = environmentOfFile(file, text);
  const verdicts = await project.lean.gate.checkFile({ text, environment }, { deadlineMs: 60_000 });
  expect(verdicts.find(({ name }) => name === 'on_whole')).toMatchObject({ verdict: 'accepted' });
  expect(verdicts.find(({ name }) => name === 'on_broken')).toMatchObject({
    verdict: 'rejected',
    kind: 'sorry',
    assumes: ['broken'],
  });
  const found = findProject(path.dirname(file));
  const { modules } = await build(() => graphOf(found, found.targets()), project.builder);
  expect(new Set(modules.get('Dep')?.errors.map(({ line }) => line))).toEqual(new Set([2]));
});
