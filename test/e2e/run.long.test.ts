import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { easy, eventsOf, folderWith, full, rows } from './goal-files.ts';

test('an input without goals is reported without an error; one broken declaration does not stop the others', async () => {
  const cwd = folderWith({ 'Done.lean': 'theorem t : 1 = 1 := rfl\n' });
  const nothing = await orch(['run', 'Done.lean'], { cwd });
  expect([nothing.code, nothing.stdout]).toEqual([0, '']);
  expect(nothing.stderr).toContain('nothing to prove in Done.lean');
  writeFileSync(
    path.join(cwd, 'Half.lean'),
    'theorem bad : 1 = := by sorry\ntheorem t : 1 + 1 = 2 := by sorry\n',
  );
  writeFileSync(path.join(cwd, 'Other.lean'), 'theorem t : 2 + 2 = 4 := by sorry\n');
  const { code, stdout } = await orch(['run', '.', '--reporter', 'json', ...full], { cwd });
  expect(code).toBe(1);
  const told = (jsonLines(stdout) as { type: string; id: string; solved: boolean; reason: string }[]).filter(
    ({ type }) => type === 'goal',
  );
  expect(new Map(told.map(({ id, solved }) => [id, solved]))).toEqual(
    new Map([
      ['t', true],
      ['Other.lean: t', true],
      ['bad', false],
    ]),
  );
  expect(told.find(({ id }) => id === 'bad')?.reason).toContain('(line 1, column 18)');
});

test('a strategy that cannot run is reported in one line, and the others run', async () => {
  const cwd = folderWith({ 'goals.jsonl': rows(...easy) });
  const env = { ORCH_STRATEGIES: 'micro,sketch' };
  const { code, stderr } = await orch(['run', 'goals.jsonl', ...full], { cwd, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/running micro; sketch: no model is named/);
});

test('a bank run that --timeout ended can be resumed, and then writes the results of both parts', async () => {
  const cwd = temporaryFolder();
  const first = await orch(['bank', '--goals', '6', '--timeout', '0.5', ...full], { cwd });
  expect(first.code).toBe(1);
  expect((await eventsOf(cwd)).at(-1)).toMatchObject({ type: 'run-finished', reason: 'timeout' });
  const resumed = await orch(['resume', '--timeout', '600', '--reporter', 'plain'], { cwd });
  expect(resumed.stderr).toMatch(/resuming \S+ \(bank\): [1-6] goals? (?:is|are) open/);
  expect(resumed.code).toBe(0);
  const [, file = ''] = /^results: (.*)$/m.exec(resumed.stderr) ?? [];
  const results = JSON.parse(readFileSync(path.join(cwd, file), 'utf8')) as unknown;
  expect(results).toMatchObject({ command: 'bank', goals_total: 6, goals_solved: 6, reason: 'done' });
});
