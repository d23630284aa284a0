import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { workflowCommand } from '../../src/reporters/github.ts';
import { reporterFor } from '../../src/reporters/reporters.ts';
import type { ReporterName } from '../../src/reporters/reporter.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines } from '../helpers/orch.ts';
import { added, closed, event, finished, HandClock, Paper, smallRun, started, unsolved } from './recorded.ts';

function report(
  name: ReporterName,
  events: readonly RunEvent[],
  environment: Record<string, string> = {},
  isTTY = false,
): { stdout: Paper; stderr: Paper } {
  const papers = { stdout: new Paper(), stderr: Object.assign(new Paper(), { isTTY }) };
  const reporter = reporterFor(name, papers, { clock: new HandClock(), environment });
  for (const one of events) reporter.event(one);
  reporter.close();
  return papers;
}

function coloured(environment: Record<string, string>, isTTY: boolean): boolean {
  return report('plain', smallRun, environment, isTTY).stderr.text.includes('\u001B[');
}

describe('plain', () => {
  test('prints one line per closed goal on stderr, then failures, arms, and the summary on stdout', () => {
    const { stdout, stderr } = report('plain', smallRun);
    expect(stderr.lines.slice(0, 5)).toEqual([
      '✓ nat_add  micro/close  0.4 CPU-s  by omega',
      '✓ list_map  micro/induct  0.4 CPU-s  by induction xs with | nil => rfl | cons x xs ih => simp [ih]',
      '✗ hard_one  3.0 CPU-s  nothing left to try',
      '✗ odd|one  3.0 CPU-s  unsolved goals ⊢ 50 % of a, b: c <b>',
      'orch: copilot is not built yet',
    ]);
    expect(stderr.lines[5]).toBe('Not solved (3):');
    expect(stdout.lines).toEqual([
      '2 of 5 solved in 142 s (timed out) · 131 CPU-s · 49 % of 2 cores (target 50 %) · Lean 4.28.0 (embedded) · seed 7',
    ]);
  });

  test('orch run prints each proof unchanged, below its file and line', () => {
    const { stdout } = report('plain', [
      started({ command: 'run' }),
      added('a', { source: 'A.lean:3', statement: 'theorem a : 1 = 1' }),
      closed('a', 1, { proof: 'by\n  skip\n  rfl\u001B[2J' }),
      finished(1),
    ]);
    expect(stdout.lines.slice(0, 4)).toEqual([
      '-- A.lean:3  a',
      'theorem a : 1 = 1 := by',
      '  skip',
      String.raw`  rfl\u{1B}[2J`,
    ]);
  });

  test('stopping a run prints one line for all open goals', () => {
    const goals = ['a', 'b', 'c'].map((name) => added(name));
    const { stderr } = report('plain', [started(), ...goals, finished(1, { reason: 'drained' })]);
    expect(stderr.lines[0]).toBe('→ 3 goals are left open: the run was stopped; orch resume continues');
    const one = report('plain', [started(), added('a'), finished(1, { reason: 'drained' })]);
    expect(one.stderr.lines[0]).toMatch(/^→ 1 goal is left open/);
    expect(stderr.text).not.toContain('not tried');
    const kept = report('plain', [started(), ...goals, closed('a', 1), finished(1, { reason: 'drained' })]);
    expect(kept.stderr.text).toContain('→ 1 proof is kept in the ledger');
  });

  test('uses colours on a terminal unless NO_COLOR is set, and elsewhere with FORCE_COLOR', () => {
    expect(coloured({}, true)).toBe(true);
    expect(coloured({ NO_COLOR: '1' }, true)).toBe(false);
    expect(coloured({ NO_COLOR: '' }, true)).toBe(true);
    expect(coloured({ TERM: 'dumb' }, true)).toBe(false);
    expect(coloured({}, false)).toBe(false);
    expect(coloured({ FORCE_COLOR: '1' }, false)).toBe(true);
    expect(coloured({ FORCE_COLOR: '0' }, true)).toBe(false);
  });

  test('text of proofs and messages cannot move the cursor', () => {
    const evil = '\u001B[2J\u001B]0;title\u0007\u009B1A\u202Ex';
    const { stderr } = report('plain', [started(), added('a'), closed('a', 1, { proof: evil })]);
    expect(stderr.text).toMatch(/^✓ a  micro\/close  0\.4 CPU-s  [\u0020-\u007E]*\n$/);
  });
});

/** The output that scripts rely on. */
const GoalLine = z.strictObject({
  type: z.literal('goal'),
  id: z.string(),
  file: z.string().nullable(),
  range: z.tuple([z.tuple([z.int(), z.int()]), z.tuple([z.int(), z.int()])]).nullable(),
  statement: z.string(),
  solved: z.boolean(),
  refuted: z.string().nullable(),
  proof: z.string().nullable(),
  assurance: z.string().nullable(),
  strategy: z.string().nullable(),
  arm: z.string().nullable(),
  attempts: z.int(),
  cpu_seconds: z.number(),
  axioms: z.array(z.string()),
  assumes: z.array(z.string()),
  reason: z.string(),
});
const SummaryLine = z.looseObject({
  type: z.literal('summary'),
  goals_total: z.int(),
  goals_solved: z.int(),
  cpu_seconds: z.number(),
  wall_seconds: z.number(),
  utilisation: z.number(),
  toolchain: z.string(),
  seed: z.int(),
});

describe('json', () => {
  test('prints one line per goal, also for open ones, and the summary last', () => {
    const { stdout, stderr } = report('json', smallRun);
    const lines = jsonLines(stdout.text);
    const goals = lines.slice(0, -1).map((line) => GoalLine.parse(line));
    expect(goals.map(({ id, solved }) => [id, solved])).toEqual([
      ['nat_add', true],
      ['list_map', true],
      ['hard_one', false],
      ['odd|one', false],
      ['open_one', false],
    ]);
    expect(goals[2]).toMatchObject({
      file: 'Deep/File.lean',
      range: [
        [12, 0],
        [12, 0],
      ],
    });
    expect(goals[4]).toMatchObject({
      attempts: 1,
      cpu_seconds: 2,
      reason: 'not finished: the run timed out',
    });
    expect(SummaryLine.parse(lines.at(-1))).toMatchObject({ goals_total: 5, goals_solved: 2, seed: 7 });
    expect(stdout.text).not.toMatch(/": |, "/);
    expect(stderr.lines).toEqual(['orch: copilot is not built yet']);
  });

  test.each([
    ['timeout', null, 'not tried: the run timed out'],
    ['drained', null, 'not tried: the run was stopped'],
    ['failed', 'the ledger is full', 'not tried: the run failed: the ledger is full'],
  ] as const)('a goal without attempts gives the reason (%s)', (reason, message, expected) => {
    const { stdout } = report('json', [started(), added('a'), finished(1, { reason, message })]);
    expect(jsonLines(stdout.text)[0]).toMatchObject({
      id: 'a',
      solved: false,
      attempts: 0,
      reason: expected,
    });
  });

  test('a goal that is added again starts fresh', () => {
    const events = [started(), added('a'), closed('a', 1), added('a'), finished(2, { reason: 'drained' })];
    const lines = jsonLines(report('json', events).stdout.text);
    expect(lines.map((line) => (line as { solved?: boolean }).solved)).toEqual([true, false, undefined]);
  });
});

describe('github', () => {
  test('commands are escaped', () => {
    expect(workflowCommand('error', 'a\r\nb 50 %', { file: 'a,b:c.lean', line: 3, title: '100 %' })).toBe(
      '::error file=a%2Cb%3Ac.lean,line=3,title=100 %25::a%0Ab 50 %25\n',
    );
    expect(workflowCommand('endgroup', '')).toBe('::endgroup::\n');
  });

  test('groups goals, annotates failures at their lines, newest first, and writes a summary page', () => {
    const page = path.join(temporaryFolder(), 'summary.md');
    writeFileSync(page, 'before\n');
    const { stdout, stderr } = report('github', smallRun, { GITHUB_STEP_SUMMARY: page });
    expect(stderr.lines[0]).toBe('::group::orch bank');
    const end = stderr.lines.indexOf('::endgroup::');
    expect(stderr.lines.slice(end + 1)).toEqual([
      '::error file=Deep/File.lean,line=20,title=odd|one is not solved::unsolved goals%0A⊢ 50 %25 of a, b: c <b>',
      '::error file=Deep/File.lean,line=12,title=hard_one is not solved::nothing left to try',
      '::error title=open_one is not solved::not finished: the run timed out',
      '::notice title=orch::2 of 5 solved in 142 s (timed out) · 131 CPU-s · 49 %25 of 2 cores (target 50 %25) · Lean 4.28.0 (embedded) · seed 7',
    ]);
    expect(stderr.lines).toContain('::warning::copilot is not built yet');
    expect(stdout.lines).toHaveLength(1);
    const markdown = readFileSync(page, 'utf8');
    expect(markdown).toMatch(/^before\n## orch\n/);
    expect(markdown).toContain('| odd&#124;one | 1 | 3.0 | unsolved goals ⊢ 50 % of a, b: c &lt;b> |');
    expect(markdown).toContain('| micro | 5 | 2 | 6.9 |');
  });

  test('foreign text cannot issue runner commands', () => {
    const evil = '::add-mask::x\n##[add-mask]x\n  ::error::x';
    const { stderr } = report('github', [
      started(),
      added(evil),
      closed(evil, 1, { proof: evil }),
      unsolved(evil, 2, evil),
      event('note', 3, { level: 'warning', text: evil }),
      finished(4),
    ]);
    for (const line of stderr.lines) {
      expect(line).toMatch(/^(?:[✓✗] |::(?:group|endgroup|error|notice|warning)[ :])/);
      if (!line.startsWith('::')) expect(line).not.toContain('##[');
    }
  });

  test('messages are escaped too', () => {
    const papers = { stdout: new Paper(), stderr: new Paper() };
    reporterFor('github', papers, { clock: new HandClock(), environment: {} }).talk('::error::x\n');
    expect(papers.stderr.text).toBe(': :error::x\n');
  });
});
