import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gridToRows, type Grid } from '../../src/arc/grid.ts';
import { solveTasks } from '../../src/commands/arc-solving.ts';
import { loadSettings } from '../../src/config/load.ts';
import { packageRoot } from '../../src/config/package.ts';
import { invented } from '../arc/invented.ts';

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

function orch(
  args: readonly string[],
  input = '',
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(packageRoot, 'src/cli.ts'), ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
}

describe('orch arc', () => {
  it('solves, prints rows and a summary as JSON lines, and writes files', () => {
    const args = [
      'arc',
      'solve',
      'tasks.jsonl',
      '--max-nodes',
      '40000',
      '--workers',
      '2',
      '--reporter',
      'json',
      '--submission',
      'sub.json',
      '--html',
      'page.html',
    ];
    const { status, stdout } = orch(args);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ type }) => type)).toEqual([...invented.map(() => 'goal'), 'summary']);
    expect(lines.at(-1)).toMatchObject({ goals_total: invented.length });
    expect(status).toBe(lines.slice(0, -1).every(({ solved }) => solved === true) ? 0 : 1);
    expect(orch(['why', 'flip']).stdout).toContain('teach/fast');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('<svg');
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'sub.json'), 'utf8')) as object)).toHaveLength(
      invented.length,
    );
  });

  it('goes on with an interrupted run by orch resume, as it was told, to the same bytes', async () => {
    const rows = (): string => readFileSync(join(folder, '.orch/arc/rows.jsonl'), 'utf8');
    const whole = rows();
    const abort = new AbortController();
    const told = { mode: 'fast', maxNodes: 40_000, workers: 1, out: join(folder, '.orch/arc') } as const;
    const settings = loadSettings({
      folder,
      environment: {},
      flags: { ledger: join(folder, '.orch/ledger.db') },
    });
    const cut = { ...told, settings, source: file, options: told, resume: false, signal: abort.signal };
    const { complete } = await solveTasks(invented, cut, () => abort.abort());
    expect(complete).toBe(false);
    expect(rows()).not.toBe(whole);
    const resumed = orch(['resume', '--reporter', 'json']);
    expect(resumed.stderr).toMatch(/resuming \S+ \(arc solve\): \d+ goals? (?:is|are) open/);
    expect(resumed.stdout).not.toContain('"id":"flip"'); // the first one was found before
    expect(rows()).toBe(whole);
    const nothing = orch(['resume']);
    expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringContaining('nothing to go on with')]);
  });

  it('shows a task and a rule', () => {
    const { status, stdout } = orch([
      'arc',
      'show',
      'tasks.jsonl#flip',
      '--rule',
      'move(input, motion: flip-left-right)',
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('· right');
  });

  it('describes, rules and verifies on stdin and stdout', () => {
    const task = JSON.stringify(asJson[0]);
    expect(orch(['arc', 'describe'], task).stdout).toContain('"kind":"size-relation"');
    const ruled = orch(['arc', 'rule', '--max-nodes', '5000'], task);
    expect(ruled.status).toBe(0);
    expect(JSON.parse(ruled.stdout)).toMatchObject({ fits: true });
    const verified = orch(['arc', 'verify'], `{"task":${task},"program":${flip}}`);
    expect(verified.status).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      solved: true,
      verifier_score: 1,
      error_type: 'NONE',
    });
    const refused = orch(['arc', 'verify'], `{"task":${task},"program":[{"op":"nope"}]}`);
    expect(refused.status).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error_type: 'PARSE' });
  });

  it('exits 2 with a hint when the input is not there or not right', () => {
    const missing = orch(['arc', 'solve', 'nowhere.jsonl']);
    expect(missing.status).toBe(2);
    expect(missing.stderr).toContain('--data');
    expect(orch(['arc', 'solve']).status).toBe(2);
    expect(orch(['arc', 'solve', 'tasks.jsonl', '--mode', 'slow']).status).toBe(2);
    expect(orch(['arc', 'show', 'tasks.jsonl']).stderr).toContain('tasks.jsonl#flip');
    expect(orch(['arc', 'show', 'tasks.jsonl#flip', '--rule', 'filp(input)']).status).toBe(2);
    expect(orch(['arc', 'describe'], 'no json').status).toBe(2);
  });
});
