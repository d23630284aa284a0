import { expect, test } from 'vitest';
import { judgeM1, judgeM2 } from '../../../src/lean/blueprint/milestone-gates.ts';
import { config, runStarted } from '../../helpers/event-bodies.ts';
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
function work(story: Story, goals: number, solved: number, judge = current): Story {
  for (let index = 0; index < goals; index++) {
    const goal = `g${index}`;
    const attempt = `${story.run}-${goal}`;
    story.add(goal).examine(goal).startAttempt(attempt, goal);
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

test('M1 wants forty of a hundred at profile 1, within the share, and proofs that replay', async () => {
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

test('M2 names the goals that profile 1 left open; where there are none it says nothing', async () => {
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
