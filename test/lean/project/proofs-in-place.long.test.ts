import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeanEngine } from '../../../src/app.ts';
import { ProofsInPlace } from '../../../src/commands/proofs-in-place.ts';
import { goalsOfFiles } from '../../../src/lean/goals/files.ts';
import type { LeanGoal } from '../../../src/lean/goals/goal.ts';
import { build } from '../../../src/lean/project/build.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { fillFile } from '../../../src/lean/project/writer.ts';
import { TestProject } from '../../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await TestProject.open();
});
afterAll(async () => await project.close());

test('of a project that was built, one changed file and what imports it are compiled again', async () => {
  project.write('lakefile.toml', 'name = "chain"\n[[lean_lib]]\nname = "Chain"\n');
  project.write('Chain.lean', 'import Chain.Top\nimport Chain.Aside\n');
  project.write('Chain/Top.lean', 'import Chain.Low\n');
  project.write('Chain/Low.lean', 'def low := 1\n');
  project.write('Chain/Aside.lean', 'def aside := 1\n');
  const found = findProject(project.folder);
  const compiledNow = async (): Promise<string[]> => {
    project.compiled.length = 0;
    await build(graphOf(found, found.targets()), project.builder);
    return project.compiled.toSorted();
  };
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Aside', 'Chain.Low', 'Chain.Top']);
  expect(await compiledNow()).toEqual([]);
  project.write('Chain/Top.lean', 'import Chain.Low\ndef top := low\n');
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Top']);
  project.write('Chain/Low.lean', 'def low := 2\n');
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Low', 'Chain.Top']);
});

test('a file stays as it is where its proofs would break an importer, and what somebody has changed is planned anew', async () => {
  const sorry = 'theorem used (n : Nat) : n + 0 = n := sorry\n';
  const used = project.write('guard/Used.lean', sorry);
  project.write(
    'guard/Guarding.lean',
    "import Used\n/-- info: 'used' depends on axioms: [sorryAx] -/\n#guard_msgs in\n#print axioms used\n",
  );
  const read = await goalsOfFiles([used], project.lean);
  const [goal] = read.goals;
  if (!goal) throw new Error('a goal');
  const filled = await fillFile(used, [{ goal, proof: 'rfl' }], project.lean);
  expect(filled).toMatchObject({ after: sorry, placed: [], gone: [] });
  expect(filled.refused[0]?.why).toMatch(/^it would break .*Guarding\.lean:3:1: /);

  rmSync(path.join(project.folder, 'guard/Guarding.lean'));
  const inPlace = new ProofsInPlace();
  inPlace.first(read);
  const changed = `-- a remark\n${sorry}theorem another : 1 = 1 := sorry\n`;
  writeFileSync(used, changed);
  const added: LeanGoal[] = [];
  const engine = {
    add: (one: LeanGoal) => added.push(one) > 0,
    note: () => undefined,
  } as unknown as LeanEngine;
  expect(await inPlace.more(engine, project.lean, [{ goal, proof: 'rfl' }], false)).toBe(true);
  expect(readFileSync(used, 'utf8')).toBe(changed);
  expect(added.map(({ id }) => id)).toEqual(['used', 'another']);
  const [first, second] = added;
  if (!first || !second) throw new Error('two goals');
  // what was added below it since does no harm; a proof that does not hold stays out
  writeFileSync(used, `${changed}-- below\n`);
  const proved = [
    { goal: first, proof: 'rfl' },
    { goal: second, proof: 'used' },
  ];
  expect(await inPlace.more(engine, project.lean, proved, false)).toBe(false);
  expect(readFileSync(used, 'utf8')).toBe(
    `-- a remark\n${sorry.replace('sorry', 'rfl')}theorem another : 1 = 1 := sorry\n-- below\n`,
  );
  expect(inPlace.isAllPlaced).toBe(false);
});
