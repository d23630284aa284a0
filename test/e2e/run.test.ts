import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { replayDecisions } from '../../src/core/scheduler/replay.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { longTest } from '../helpers/tier.ts';
import { easy, eventsOf, folderWith, full, oneWorker, rows } from './goal-files.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** True, but far too hard for tactics, so a run with it continues until it is stopped. */
const stubborn = {
  id: 'stubborn',
  statement: 'theorem stubborn (a b c : Nat) : (a + 1) ^ 3 + (b + 1) ^ 3 ≠ c ^ 3',
};

describe('orch run', () => {
  test('prints one JSON line per row and a summary, records a ledger that replays, then answers from memory', async () => {
    const cwd = folderWith({ 'goals.jsonl': rows(...easy) });
    const first = await orchHere(['run', 'goals.jsonl', '--reporter', 'json', '--seed', '5', ...full], {
      cwd,
    });
    expect(first.code).toBe(0);
    const lines = jsonLines(first.stdout) as Record<string, unknown>[];
    expect(lines.map(({ type }) => type)).toEqual(['goal', 'goal', 'summary']);
    expect(lines.find(({ id }) => id === 'zero')).toMatchObject({
      solved: true,
      assurance: 'replayed',
      strategy: 'micro',
      arm: expect.stringMatching(/^micro\//) as string,
      proof: expect.stringMatching(/^by/) as string,
      reason: 'proved',
      assumes: [],
    });
    expect(lines.at(-1)).toMatchObject({ goals_total: 2, goals_solved: 2, seed: 5 });

    // an empty ledger cannot provide proofs
    const hitsOf = async (): Promise<number> =>
      (await eventsOf(cwd)).reduce(
        (sum, event) => sum + (event.type === 'attempt-finished' ? event.cache_hits : 0),
        0,
      );
    expect(await hitsOf()).toBe(0);

    const { decisions, differences } = replayDecisions(await eventsOf(cwd));
    expect(decisions).toBeGreaterThan(3);
    expect(differences).toEqual([]);

    const again = await orchHere(['run', 'goals.jsonl', '--reporter', 'json', ...full], { cwd });
    expect(again.code).toBe(0);
    expect(jsonLines(again.stdout)[0]).toMatchObject({
      solved: true,
      strategy: 'cache',
      arm: 'cache/proved',
      attempts: 1,
    });
    expect(await hitsOf()).toBe(easy.length);
  });

  test('proves the sorrys of a Lean file, several in one proof; unsolved ones make exit code 1', async () => {
    const cwd = folderWith({
      'Project.lean': `def double (n : Nat) := n + n

theorem double_zero : double 0 = 0 := by sorry

theorem both (n : Nat) : double n = 2 * n ∧ 0 ≤ n := by
  constructor
  · sorry
  · sorry

theorem not_so (n : Nat) : double n = n + 1 := by
  sorry
`,
    });
    const { code, stdout } = await orchHere(
      [
        'run',
        'Project.lean',
        '--reporter',
        'json',
        '--goal-cpu',
        '2',
        '--write',
        '--out',
        'solved.lean',
        ...oneWorker,
      ],
      { cwd },
    );
    expect(code).toBe(1);
    const written = readFileSync(path.join(cwd, 'Project.lean'), 'utf8');
    expect(written).toMatch(/double 0 = 0 := by \w+\n/);
    expect(written.match(/sorry/g)).toHaveLength(1); // false statements stay unchanged
    expect(readFileSync(path.join(cwd, 'solved.lean'), 'utf8')).toBe(written);
    const goals = (
      jsonLines(stdout) as { type: string; id: string; solved: boolean; proof: string }[]
    ).filter(({ type }) => type === 'goal');
    const solved = Object.fromEntries(
      goals.map(({ id, solved: isSolved }) => [id.replace(/^.*[:/]/, ''), isSolved]),
    );
    expect(solved).toEqual({ double_zero: true, 'both#1': true, 'both#2': true, not_so: false });
  });

  test('bad input exits 2 with the error and its position, and creates no ledger', async () => {
    const cwd = folderWith({ 'bad.jsonl': '{"id":"x"}\n', 'broken.jsonl': '{"id"\n' });
    for (const file of ['bad.jsonl', 'broken.jsonl', 'missing.jsonl']) {
      const { code, stdout, stderr } = await orchHere(['run', file], { cwd });
      expect([file, code, stdout]).toEqual([file, 2, '']);
      expect(stderr).toContain(file);
    }
    expect(existsSync(path.join(cwd, '.orch'))).toBe(false);
    const { code, stderr } = await orchHere(['run', 'bad.jsonl', '--cpu-target', '7'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('cpu_target');
  });
});

/** Starts a run and resolves when its output matches. */
async function begin(cwd: string, args: readonly string[], pattern: RegExp) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { ...process.env, ORCH_LEAN: 'embedded' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  const matched = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (pattern.test(output)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`ended before it said ${String(pattern)}: ${output}`)));
  });
  await matched;
  return { child, ended, output: () => output };
}

describe('interruptions', () => {
  test('one Ctrl-C drains: solved goals stay solved, and resume continues with the rest', async () => {
    const cwd = folderWith({ 'goals.jsonl': rows(...easy, stubborn) });
    const settings = ['--goal-cpu', '2', '--max-light', '3', '--seed', '11', ...oneWorker];
    const { child, ended } = await begin(
      cwd,
      ['run', 'goals.jsonl', '--reporter', 'plain', ...settings],
      /✓/,
    );
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect((await eventsOf(cwd)).at(-1)).toMatchObject({ type: 'run-finished', reason: 'drained' });

    const resumed = await orchHere(['resume', '--reporter', 'json'], { cwd });
    expect(resumed.stderr).toMatch(/resuming \S+ \(run\): [12] goals? (?:is|are) open/);
    // the settings of the run came back, and its seed
    const starts = (await eventsOf(cwd)).filter((event) => event.type === 'run-started');
    expect(starts).toHaveLength(2);
    expect(starts[1]).toMatchObject({ command: 'run', seed: 11, resumes: starts[0]?.run });
    expect(starts[1]?.config).toEqual(starts[0]?.config);
    expect(starts[1]?.config).toMatchObject({ goal_cpu: 2, max_light: 3, cpu_target: 1 });
    const summary = jsonLines(resumed.stdout).at(-1) as { goals_total: number };
    expect(summary.goals_total).toBeLessThan(3);
    expect(resumed.code).toBe(1);

    const nothing = await orchHere(['resume'], { cwd });
    expect(nothing.code).toBe(2);
    expect(nothing.stderr).toContain('nothing to resume');
  });

  longTest('kill -9 loses only the running attempts', async () => {
    const cwd = folderWith({ 'goals.jsonl': rows(stubborn, ...easy) });
    const { child, ended } = await begin(cwd, ['run', 'goals.jsonl', '--reporter', 'plain', ...full], /✓/);
    const beside = await orchHere(['resume'], { cwd });
    expect([beside.code, beside.stderr]).toEqual([2, expect.stringContaining('still active')]);
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    const before = (await eventsOf(cwd)).filter(({ type }) => type === 'goal-closed');
    expect(before.length).toBeGreaterThan(0);
    const { stderr } = await orch(['resume', '--reporter', 'json', '--goal-cpu', '1', ...full], { cwd });
    expect(stderr).toMatch(/\d+ attempts? (?:was|were) in flight/);
    const verified = await orchHere(['ledger', 'verify'], { cwd });
    expect(verified.code).toBe(0);
  });

  test('bg picks up changed, new and deleted files', async () => {
    const cwd = folderWith({ 'Work.lean': 'theorem one : 1 + 1 = 2 := by sorry\n' });
    const { child, ended, output } = await begin(cwd, ['bg', '--reporter', 'plain', ...oneWorker], /✓ .*one/);
    writeFileSync(path.join(cwd, 'Work.lean'), 'theorem two : 2 + 2 = 4 := by sorry\n');
    await expect.poll(output).toMatch(/✓ .*two/);
    writeFileSync(path.join(cwd, 'New.lean'), 'theorem three : 3 + 3 = 6 := by sorry\n');
    await expect.poll(output).toMatch(/✓ .*three/);
    rmSync(path.join(cwd, 'New.lean'));
    await expect.poll(output).toMatch(/New\.lean was deleted/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});
