import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gridToRows, type Grid } from '../../src/arc/grid/grid.ts';
import { solveTasks } from '../../src/app/arc/solve-tasks.ts';
import { loadSettings } from '../../src/config/load.ts';
import { invented } from '../arc/invented.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { orch, type Finished } from '../helpers/orch.ts';

const folder = mkdtempSync(join(tmpdir(), 'arc-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'tasks.jsonl');
const asJson = invented.map(({ id, train, test, answers }) => ({
  task_id: id,
  train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
  test: test.map((input, i) => ({ input: gridToRows(input), output: gridToRows(answers[i] as Grid) })),
}));
writeFileSync(file, asJson.map((task) => `${JSON.stringify(task)}\n`).join(''));
const flip = JSON.stringify([{ op: 'move', args: { motion: 'flip-left-right' } }]);

/** A run needs its own process, which its workers keep busy. */
const inOwnProcess = async (...args: string[]): Promise<Finished> =>
  await orch(args, { cwd: folder, env: { NO_COLOR: '1' } });
const here = async (
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = { NO_COLOR: '1' },
): Promise<Finished> => await orchHere(args, { cwd: folder, input, env });

describe('orch arc', () => {
  it('solves, prints rows and a summary as JSON lines, and writes files', async () => {
    const args = [
      'arc',
      'solve',
      'tasks.jsonl',
      '--max-nodes',
      '10000',
      '--workers',
      '2',
      '--reporter',
      'json',
      '--submission',
      'sub.json',
    ];
    const { code, stdout } = await inOwnProcess(...args);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type }) => type)).toEqual([...invented.map(() => 'goal'), 'summary']);
    expect(lines.at(-1)).toMatchObject({ goals_total: invented.length });
    expect(code).toBe(lines.slice(0, -1).every(({ solved }) => solved === true) ? 0 : 1);
    expect((await here(['why', 'flip'])).stdout).toContain('teach/fast');
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'sub.json'), 'utf8')) as object)).toHaveLength(
      invented.length,
    );
  });

  it('orch resume continues an interrupted run with its settings, to the same bytes', async () => {
    const rows = (): string => readFileSync(join(folder, '.orch/arc/rows.jsonl'), 'utf8');
    const whole = rows();
    const abort = new AbortController();
    const told = {
      maxNodes: 10_000,
      workers: 1,
      out: join(folder, '.orch/arc'),
    } as const;
    const settings = loadSettings({
      folder,
      environment: {},
      flags: { ledger: join(folder, '.orch/ledger.db') },
    });
    const cut = { ...told, settings, source: file, options: told, resume: false, signal: abort.signal };
    const { complete } = await solveTasks(invented, cut, () => abort.abort());
    expect(complete).toBe(false);
    expect(rows()).not.toBe(whole);
    const resumed = await inOwnProcess('resume', '--reporter', 'json');
    expect(resumed.stderr).toMatch(/resuming \S+ \(arc solve\): \d+ goals? (?:is|are) open/);
    expect(resumed.stdout).not.toContain('"id":"flip"'); // the first one was found before
    expect(rows()).toBe(whole);
    const nothing = await here(['resume']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('nothing to resume')]);
  });

  it('shows a task and a rule', async () => {
    const { code, stdout } = await here([
      'arc',
      'show',
      'tasks.jsonl#flip',
      '--rule',
      'move(input, motion: flip-left-right)',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('· right');
  });

  it('shows digits in a pipe, and colours only on request', async () => {
    const show = ['arc', 'show', 'tasks.jsonl#flip', '--rule', 'move(input, motion: flip-left-right)'];
    expect((await here(show, '', { NO_COLOR: '' })).stdout).not.toContain('\u001B');
    expect((await here(show, '', { NO_COLOR: '', FORCE_COLOR: '1' })).stdout).toContain('\u001B[48;2;');
  });

  it('describes, rules and verifies on stdin and stdout', async () => {
    const task = JSON.stringify(asJson[0]);
    expect((await here(['arc', 'describe'], task)).stdout).toContain('"kind":"size-relation"');
    const ruled = await here(['arc', 'rule', '--max-nodes', '5000'], task);
    expect(ruled.code).toBe(0);
    expect(JSON.parse(ruled.stdout)).toMatchObject({ fits: true });
    const verified = await here(['arc', 'verify'], `{"task":${task},"program":${flip}}`);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      solved: true,
      verifier_score: 1,
      error_type: 'NONE',
    });
    const refused = await here(['arc', 'verify'], `{"task":${task},"program":[{"op":"nope"}]}`);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error_type: 'PARSE' });
  });

  it('exits 2 with a hint when the input is missing or invalid', async () => {
    const missing = await here(['arc', 'solve', 'nowhere.jsonl']);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('--data');
    expect((await here(['arc', 'solve'])).code).toBe(2);
    expect((await here(['arc', 'solve', 'tasks.jsonl', '--reporter', 'slow'])).code).toBe(2);
    expect((await here(['arc', 'show', 'tasks.jsonl'])).stderr).toContain('tasks.jsonl#flip');
    expect((await here(['arc', 'show', 'tasks.jsonl#flip', '--rule', 'filp(input)'])).code).toBe(2);
    expect((await here(['arc', 'describe'], 'no json')).code).toBe(2);
  });
});
