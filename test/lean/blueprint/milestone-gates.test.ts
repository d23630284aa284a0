import { expect, test } from 'vitest';
import { isGreen, judgeM1, judgeM2 } from '../../../src/lean/blueprint/milestone-gates.ts';
import { failed, success } from '../../../src/core/result.ts';
import { config, runStarted } from '../../helpers/event-bodies.ts';
import type { GoalAdded } from '../../../src/shared/events.ts';
import { Story } from '../../store/ledger/story.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

const hour = 3_600_000;
const begin = (name: string, profile: 0 | 1 | 2, hours = 0): Story =>
  new Story(name, Date.UTC(2026, 0, 1) + hours * hour).tell('run-started', {
    ...runStarted,
    config: { ...config, profile },
  });

const current = 'judge-2';

/** A run with this many goals, the first of which are solved. */
function work(
  story: Story,
  goals: number,
  solved: number,
  judge = current,
  body: Partial<GoalAdded> = {},
): Story {
  for (let index = 0; index < goals; index++) {
    const goal = `g${index}`;
    const attempt = `${story.run}-${goal}`;
    story.add(goal, body).examine(goal).startAttempt(attempt, goal);
    if (index < solved)
      story
        .finishAttempt(attempt, goal, { outcome: 'solved', error: null })
        .judge(attempt, goal, { judge })
        .closeGoal(goal);
    else story.finishAttempt(attempt, goal).closeGoal(goal, false);
  }
  return story.end();
}

const yes = async (): Promise<boolean> => true;

test('M1 requires forty of a hundred goals at profile 1, the CPU share, and proofs that replay', async () => {
  const enough = await temporaryLedger(work(begin('one', 1), 100, 40).events);
  const green = await judgeM1(enough.ledger.views, yes);
  expect(green).toMatchObject({
    kind: 'judged',
    conditions: [{ holds: true }, { holds: true }, { holds: true }],
  });
  const lost = await judgeM1(enough.ledger.views, async ({ goal }) => goal !== 'g7');
  expect(lost).toMatchObject({ conditions: [{ holds: true }, { holds: true }, { holds: false }] });
  const few = await temporaryLedger(work(begin('one', 1), 100, 39).events);
  expect(await judgeM1(few.ledger.views, yes)).toMatchObject({ conditions: [{ holds: false }, {}, {}] });
  const small = await temporaryLedger(work(begin('one', 1), 99, 99).events);
  expect(await judgeM1(small.ledger.views, yes)).toMatchObject({ kind: 'unknown' });
});

test('M2 lists the goals that profile 1 left open, and makes no claim without any', async () => {
  const none = await temporaryLedger(work(begin('one', 1), 3, 3).events);
  expect(await judgeM2(none.ledger.views, current)).toMatchObject({ kind: 'unknown' });
  const one = work(begin('one', 1), 12, 2);
  const two = work(begin('two', 2, 1), 12, 3);
  const { ledger } = await temporaryLedger([...one.events, ...two.events]);
  expect(await judgeM2(ledger.views, current)).toMatchObject({
    kind: 'judged',
    set: ['g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8', 'g9', 'g10', 'g11'],
    conditions: [
      { holds: true, text: expect.stringContaining('1 of the 10') },
      { holds: true },
      { holds: true },
    ],
  });
  const vain = await temporaryLedger([...one.events, ...work(begin('two', 2, 1), 12, 2).events]);
  expect(await judgeM2(vain.ledger.views, current)).toMatchObject({
    conditions: [{ holds: false }, { holds: false }, {}],
  });
  const old = await temporaryLedger([...one.events, ...work(begin('two', 2, 1), 12, 3, 'judge-1').events]);
  expect(await judgeM2(old.ledger.views, current)).toMatchObject({
    conditions: [{ holds: false, text: expect.stringContaining('0 of the 10') }, { holds: false }, {}],
  });
});

/** M1 on a run of `prove` whose goals are from one place. */
const judgedFrom = async (source: string) => {
  const story = new Story('own', Date.UTC(2026, 0, 1)).tell('run-started', {
    ...runStarted,
    command: 'prove',
    config: { ...config, profile: 1 },
  });
  const { ledger } = await temporaryLedger(work(story, 100, 40, current, { source }).events);
  return await judgeM1(ledger.views, yes);
};

test('M1 counts the lemmas of a project and names their files', async () => {
  expect(await judgedFrom('Galois/Basic.lean:12')).toMatchObject({
    kind: 'judged',
    conditions: [{ holds: true, text: expect.stringContaining('40 of 100 lemmas of this project') }, {}, {}],
  });
  // rows of a file are neither the bank nor a project
  expect(await judgedFrom('goals.jsonl:1')).toMatchObject({ kind: 'unknown' });
});

const check = (name: string, state: 'green' | 'red' | 'running') => ({ name, state });

test('M0 requires a fully green CI run of the commit, not counting its own check', () => {
  const answers = [
    [check('Lean build', 'green'), check('Milestone', 'running')],
    [check('Lean build', 'green'), check('docs', 'red')],
    [check('Lean build', 'running')],
    [check('Milestone', 'green')],
    [],
  ].map((checks) => isGreen('0123456789', success(checks)));
  expect(answers).toEqual([
    { holds: true, text: 'CI of 01234567 is green: Lean build' },
    { holds: false, text: 'CI of 01234567: docs is red' },
    { holds: false, text: 'CI of 01234567: Lean build is running' },
    { holds: false, text: 'no CI run of 01234567: push it' },
    { holds: false, text: 'no CI run of 01234567: push it' },
  ]);
  expect(isGreen('0123456789', failed({ kind: 'unreachable', message: 'no network' }))).toEqual({
    holds: false,
    text: 'CI of 01234567 is unknown: no network',
  });
});
