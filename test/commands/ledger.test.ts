import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines } from '../helpers/orch.ts';
import { start, Story } from '../store/ledger/story.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';

const story = (): Story =>
  new Story()
    .begin()
    .add('g1')
    .add('g2')
    .examine('g1')
    .examine('g2')
    .finishAttempt('a1', 'g1', { cache_hits: 1 })
    .finishAttempt('a2', 'g1', { outcome: 'solved', arm: 'micro/cases', wall_seconds: 3 })
    .judge('a2', 'g1', { arm: 'micro/cases' })
    .finishAttempt('a3', 'g2', { arm: 'search/shallow', outcome: 'timeout' })
    .openTicket('lem-1')
    .closeGoal('g1')
    .end();

describe('without a ledger', () => {
  test.each([
    ['stats'],
    ['ledger verify'],
    ['ledger rebuild'],
    ['ledger export'],
    ['market list'],
    ['market show x'],
    ['market claim x'],
  ])('orch %s reports that nothing has run, and creates no file', async (command) => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await orchHere(command.split(' '), { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^orch: there is no ledger at .*ledger\.db: nothing has been run yet\n/);
    expect(existsSync(path.join(cwd, '.orch'))).toBe(false);
  });
});

describe('orch stats', () => {
  test('prints an aligned table', async () => {
    const { file } = await temporaryLedger(story().events);
    const { code, stdout } = await orchHere(['stats', '--ledger', file]);
    expect(code).toBe(0);
    expect(stdout).toBe(`attempts  3 in total, 1 with a proof (33.3 %)
goals     2 including helper lemmas, 1 solved (50.0 %)
cache     1 goal with a known proof; 33.3 % of all attempts reused one
tickets   1 open, 0 claimed, 0 completed
CPU       1.50 s in attempts, 12.5 s in total (orch profile shows details)

strategy       attempts  proofs     rate    mean     CPU
micro                 2       1   50.0 %  2.00 s  1.00 s
  micro/cases         1       1  100.0 %  3.00 s  0.50 s
  micro/close         1       0    0.0 %  1.00 s  0.50 s
search                1       0    0.0 %  1.00 s  0.50 s

run    label or command  started (UTC)     solved     CPU    wall  ended
run-1  bank              2026-01-01 00:00     1/2  12.5 s  13.0 s  done
`);
  });

  test('prints the dashboard’s data as JSON, for the ledger named in the environment', async () => {
    const { file } = await temporaryLedger(story().events);
    const { code, stdout } = await orchHere(['stats', '--json'], { env: { ORCH_LEDGER: file } });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([
      {
        since: null,
        total_attempts: 3,
        successes: 1,
        success_rate: 1 / 3,
        cached_goals: 1,
        hit_rate: 1 / 3,
        strategies: [
          { strategy: 'micro', attempts: 2, mean_seconds: 2, outcomes: { failed: 1, solved: 1 } },
          { strategy: 'search', arms: [{ arm: 'search/shallow', success_rate: 0 }] },
        ],
        tickets: { open: 1, claimed: 0, completed: 0 },
        runs: [{ run: 'run-1', utilisation: 0.48 }],
      },
    ]);
    const recent = await orchHere(['stats', '--json', '--since', '24h', '--ledger', file]);
    expect(jsonLines(recent.stdout)).toMatchObject([
      { total_attempts: 0, success_rate: 0, strategies: [], goals_known: 2 },
    ]);
    expect(await orchHere(['stats', '--since', 'yesterday'])).toMatchObject({ code: 2 });
  });

  test('lists goals by file, each once with its newest state and the cost of all runs', async () => {
    const again = new Story('run-2', start + 3_600_000).begin().add('g1').examine('g1').closeGoal('g1').end();
    const { file } = await temporaryLedger([...story().events, ...again.events]);
    const { stdout } = await orchHere(['stats', '--by', 'file', '--json', '--ledger', file]);
    expect(JSON.parse(stdout)).toMatchObject({
      by: 'file',
      groups: [{ goals: 2, solved: 1, refuted: 0, attempts: 3 }],
    });
    const table = await orchHere(['stats', '--by', 'topic', '--ledger', file]);
    expect(table.stdout).toMatch(
      /^topic +goals +solved +rate +refuted +attempts +CPU\n.* 2 +1 +50\.0 % +0 +3 /,
    );
  });

  test('an empty ledger prints a short message', async () => {
    const { file } = await temporaryLedger();
    const { code, stdout } = await orchHere(['stats', '--ledger', file]);
    expect(code).toBe(0);
    expect(stdout).toContain('attempts  0 in total, 0 with a proof (0.0 %)');
  });
});

test('orch replay of an attempt that the ledger does not have exits 2', async () => {
  const { file } = await temporaryLedger(story().events);
  const { code, stderr } = await orchHere(['replay', 'run-1-99', '--ledger', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('has no finished attempt run-1-99')]);
});

describe('orch ledger', () => {
  test('verify finds inconsistencies, rebuild repairs them', async () => {
    const { file } = await temporaryLedger(story().events);
    expect(await orchHere(['ledger', 'verify', '--ledger', file])).toMatchObject({
      code: 0,
      stdout: '✓ the ledger is sound\n',
    });
    const database = new DatabaseSync(file);
    database.exec('DELETE FROM statistics');
    database.close();
    const broken = await orchHere(['ledger', 'verify', '--ledger', file]);
    expect(broken).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^✗ statistics has 0 wrong rows/) as unknown,
    });
    expect(await orchHere(['ledger', 'rebuild', '--ledger', file])).toMatchObject({ code: 0 });
    expect(await orchHere(['ledger', 'verify', '--ledger', file])).toMatchObject({ code: 0 });
  });

  test('export writes every event, to stdout or to a file', async () => {
    const { events } = story();
    const { file, ledger } = await temporaryLedger(events);
    const { code, stdout } = await orchHere(['ledger', 'export', '--ledger', file]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual(await ledger.journal.eventsSince(0, 100));
    const out = path.join(path.dirname(file), 'events.jsonl');
    expect(await orchHere(['ledger', 'export', '--ledger', file, '--out', out])).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(readFileSync(out, 'utf8')).toBe(stdout);
    expect(await orchHere(['ledger', 'export', '--ledger', file, '--out', path.dirname(file)])).toMatchObject(
      {
        code: 2,
      },
    );
  });

  test('a file that is not a ledger is a clear error', async () => {
    const file = path.join(temporaryFolder(), 'notes.txt');
    writeFileSync(file, 'these are my notes');
    const { code, stderr } = await orchHere(['ledger', 'verify', '--ledger', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not a ledger');
    expect(stderr).not.toContain('at ');
  });
});
