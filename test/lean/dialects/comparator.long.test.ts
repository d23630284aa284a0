import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/folders.ts';
import { jsonLines, orch } from '../../helpers/orch.ts';

const config = {
  challenge_module: 'Challenge',
  solution_module: 'Solution',
  theorem_names: ['first', 'second'],
  definition_names: [],
  permitted_axioms: ['propext', 'Quot.sound', 'Classical.choice'],
  enable_nanoda: false,
};

function projectWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

test('the command accepts comparator’s config and SafeVerify’s options', async () => {
  const folder = projectWith({
    'Challenge.lean': 'theorem first : 1 + 1 = 2 := sorry\n',
    'Solution.lean': 'theorem first : 1 + 1 = 2 := rfl\ntheorem second : True := trivial\n',
    'Weaker.lean': 'theorem first : 1 = 1 := rfl\n',
    'config.json': JSON.stringify({ ...config, theorem_names: ['first'], json_output_path: 'out.json' }),
  });
  const done = await orch(['check', '--config', 'config.json', '--json'], { cwd: folder });
  expect(done).toMatchObject({ code: 0 });
  expect(jsonLines(done.stdout)).toMatchObject([
    { name: 'first', verdict: 'accepted', assurance: 'replayed' },
  ]);
  const nanoda = { ...config, theorem_names: ['first'], enable_nanoda: true };
  writeFileSync(path.join(folder, 'nanoda.json'), JSON.stringify(nanoda));
  const replaced = await orch(['check', '--config', 'nanoda.json', '--json'], { cwd: folder });
  expect(replaced).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('second kernel is used instead of nanoda') as string,
  });
  expect(jsonLines(replaced.stdout)).toMatchObject([
    { name: 'first', assurance: 'second-kernel', message: expect.stringContaining('nanoda') as string },
  ]);
  writeFileSync(path.join(folder, 'both.json'), JSON.stringify(config));
  const both = await orch(['check', '--config', 'both.json', '--json'], { cwd: folder });
  expect(both).toMatchObject({ code: 3 });
  expect(jsonLines(both.stdout)).toMatchObject([
    { name: 'first', verdict: 'accepted' },
    { name: 'second', verdict: 'unknown', kind: 'no-theorem' },
  ]);
  const weaker = ['check', '--submission', 'Weaker.lean', '--target', 'Challenge.lean', '--json'];
  expect(await orch(weaker, { cwd: folder })).toMatchObject({ code: 1 });
  const absent = await orch(['check', '--submission', 'None.olean', '--target', 'None.olean'], {
    cwd: folder,
  });
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('None.olean') as string });
  expect(await orch(['check', '--submission', 'Weaker.lean'], { cwd: folder })).toMatchObject({ code: 2 });
});
