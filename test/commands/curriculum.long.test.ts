import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLean } from '../../src/app/lean.ts';
import { settingsFrom } from '../../src/app/settings.ts';
import type { CurriculumRow } from '../../src/lean/learning/curriculum/curriculum.ts';
import { imageOfFiles } from '../../src/lean/goals/files.ts';
import { goalsOfFiles } from '../../src/lean/blueprint/file-goals.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, orch } from '../helpers/orch.ts';

const modules = 'Std.Tactic.BVDecide.Normalize.*';

test('library theorems become goals without the theorem itself, graded and reproducible by seed; some are solved', async () => {
  const cwd = temporaryFolder();
  const make = async (out: string): Promise<string> => {
    const made = await orch(['lab', 'curriculum', '--count', '3', '--modules', modules, '--out', out], {
      cwd,
    });
    expect(made).toMatchObject({ code: 0, stdout: `3 goals in ${out}\n` });
    return readFileSync(path.join(cwd, out), 'utf8');
  };
  const text = await make('goals.jsonl');
  expect(await make('again.jsonl')).toBe(text);
  const rows = jsonLines(text) as CurriculumRow[];
  expect(rows).toHaveLength(3);
  const grades = rows.map(({ difficulty }) => difficulty);
  expect(grades).toEqual(grades.toSorted((one, two) => one - two));

  const file = path.join(cwd, 'goals.jsonl');
  const image = imageOfFiles([file]);
  await using lean = await openLean(settingsFrom({ lean: 'embedded' }), { image, slots: 1 });
  const { goals, unreadable } = await goalsOfFiles([file], lean);
  expect(unreadable).toEqual([]);
  expect(goals.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  for (const { id, preamble, statement, environment } of goals) {
    const itself = `@${id.slice(id.indexOf('/') + 1)}`;
    const claim = { preamble, statement, environment, proof: itself };
    expect(await lean.gate.check(claim)).toMatchObject({ verdict: 'rejected', kind: 'elaboration' });
  }

  const run = await orch(['run', 'goals.jsonl', '--goal-cpu', '6', '--reporter', 'json'], { cwd });
  const closed = jsonLines(run.stdout).filter((event) => (event as { type: string }).type === 'goal');
  expect(closed).toHaveLength(3);
  expect(closed).toContainEqual(expect.objectContaining({ solved: true, assurance: 'replayed' }));
});

test('reports why a goal could not be created', async () => {
  const cwd = temporaryFolder();
  const lab = async (...args: string[]): ReturnType<typeof orch> =>
    await orch(['lab', 'curriculum', ...args], { cwd });
  expect(await lab('--count', '2')).toMatchObject({ code: 2 });
  expect(await lab('--count', 'many', '--out', 'a.jsonl')).toMatchObject({ code: 2 });
  expect(await lab('--out', 'a.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a.txt is not a .jsonl file') as unknown,
  });
  expect(await lab('--modules', 'No.Such.*', '--out', 'a.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no module with theorems is called No.Such.*') as unknown,
  });
});
