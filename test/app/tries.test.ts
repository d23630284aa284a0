import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settingsFrom } from '../../src/app/settings.ts';
import { solvedGoals } from '../../src/app/ship.ts';
import { writeReport } from '../../src/app/sweep-report.ts';
import { judgeVersion } from '../../src/lean/gate/judge-version.ts';
import { config, runStarted } from '../helpers/event-bodies.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { Story, start } from '../store/ledger/story.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';

const judge = judgeVersion();
const theorem = { statement: 'theorem t (a : Nat) : a + 0 = a', source: 'A.lean:3' };

const sweeping = (run: string, at: number): Story =>
  new Story(run, at).tell('run-started', { ...runStarted, command: 'sweep', config });

/** One run leaves the theorem; the next needs two tries, the second of which the cache answers. */
const story = sweeping('run-1', start)
  .add('A.t', theorem)
  .examine('A.t')
  .finishAttempt('run-1-1', 'A.t', { cpu_seconds: 30 })
  .closeGoal('A.t', false)
  .end()
  .follow(
    sweeping('run-2', start + 1_000_000)
      .add('A.t', theorem)
      .examine('A.t')
      .finishAttempt('run-2-1', 'A.t', { cpu_seconds: 12 })
      .closeGoal('A.t', false)
      // another theorem with the same words, in another namespace
      .add('B.t', { ...theorem, source: 'A.lean:9' })
      .examine('B.t')
      .finishAttempt('run-2-2', 'B.t', { cpu_seconds: 2 })
      .judge('run-2-2', 'B.t', { judge })
      .closeGoal('B.t')
      .add('A.t (2)', theorem)
      .judge(null, 'A.t (2)', { judge })
      .closeGoal('A.t (2)')
      .end(),
  )
  .follow(
    sweeping('run-3', start + 2_000_000)
      .add('A.t', theorem)
      .examine('A.t')
      .finishAttempt('run-3-1', 'A.t', { cpu_seconds: 5 })
      .judge('run-3-1', 'A.t', { judge })
      .closeGoal('A.t')
      .end(),
  );

test('a proof reports the cost of all tries until then, and shipping again the same', async () => {
  const { file } = await temporaryLedger(story.events);
  const solved = await solvedGoals(settingsFrom({ ledger: file }));
  expect(
    solved.map(({ goal, attempts, cpu_seconds, attempt_rows }) => ({
      goal,
      attempts,
      cpu_seconds,
      rows: attempt_rows.map(({ attempt }) => attempt),
    })),
  ).toEqual([
    { goal: 'B.t', attempts: 1, cpu_seconds: expect.closeTo(2.375) as unknown, rows: ['run-2-2'] },
    {
      goal: 'A.t (2)',
      attempts: 2,
      cpu_seconds: expect.closeTo(42.625) as unknown,
      rows: ['run-1-1', 'run-2-1'],
    },
  ]);
});

test('the report of a sweep lists a goal that was tried again once', async () => {
  const { file } = await temporaryLedger(story.events.filter(({ run }) => run !== 'run-3'));
  const out = temporaryFolder();
  const swept = {
    run: {
      reason: 'done' as const,
      message: null,
      goals_total: 3,
      goals_solved: 2,
      cpu_seconds: 20,
      lean_cpu_seconds: 19,
      host_cpu_seconds: 1,
      wall_seconds: 9,
      utilisation: 0.5,
    },
    isAll: true,
    patch: '',
    coverage: { before: null, after: null },
    undecided: [],
  };
  await writeReport(out, settingsFrom({ ledger: file }), swept, []);
  const report = JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as Record<string, unknown>;
  expect(report).toMatchObject({
    run: 'run-2',
    goals_total: 2,
    goals_solved: 2,
    goals: [
      { goal: 'A.t', status: 'solved', attempts: 1, cpu_seconds: expect.closeTo(12.375) as unknown },
      { goal: 'B.t', status: 'solved', attempts: 1 },
    ],
    stuck: [],
  });
  const text = readFileSync(path.join(out, 'report.md'), 'utf8');
  expect(text).toContain('2 of 2 goals proved');
  expect(text).not.toContain('Still open');
});
