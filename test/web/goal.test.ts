import { expect, test } from 'vitest';
import { ArcDomain } from '../../src/arc/domain.ts';
import { ThreadPool } from '../../src/arc/solve/pool.ts';
import type { Task } from '../../src/arc/grid/task.ts';
import { invented } from '../arc/invented.ts';
import { searched } from '../store/ledger/searched.ts';
import { start, Story } from '../store/ledger/story.ts';
import { openDesk } from './desk.ts';
import { twoRuns } from './stories.ts';
import { longTest } from '../helpers/tier.ts';

function story(): Story {
  return new Story('run-1', start)
    .begin()
    .add('proved')
    .add('failing', { statement: 'theorem failing (n : Nat) : n * n = n + n' })
    .examine('proved')
    .slate('proved', 'micro/close', 'micro/cases')
    .startAttempt('a1', 'proved')
    .finishAttempt('a1', 'proved', { outcome: 'solved', error: null, reward: 0.8 })
    .judge('a1', 'proved')
    .closeGoal('proved')
    .examine('failing')
    .slate('failing', 'micro/close')
    .startAttempt('a2', 'failing')
    .finishAttempt('a2', 'failing', {
      error: 'omega could not prove the goal:\na possible counterexample: n := 1',
    })
    .sample();
}

test('a goal view has a block to copy, Lean’s messages, the reason for each arm and the search tree', async () => {
  await using desk = await openDesk(story().events, { permissions: ['clipboard-read', 'clipboard-write'] });
  await searched(desk.ledger);
  const { page } = desk;
  await desk.open('goals/proved');
  await page.getByRole('group', { name: 'theorem' }).getByText('Nat.add_zero').waitFor();
  await page.getByRole('button', { name: 'Copy theorem' }).click();
  await page.getByText('Copied').waitFor();
  await expect
    .poll(async () => await page.evaluate('navigator.clipboard.readText()'))
    .toMatch(/^theorem proved .* := by simp only \[Nat.add_zero\]$/);
  await page.getByText('replayed').waitFor();

  await desk.open('goals/failing');
  await page.getByLabel('latest error').getByText('a possible counterexample: n := 1').waitFor();
  await page.getByText('Details: why these arms').click();
  const trail = page.getByRole('table').first();
  for (const text of ['micro/close', '1.500', '0.050', 'failed']) await trail.getByText(text).waitFor();
  await page.getByText('the best three').first().waitFor();

  const tree = page.locator('.card', { has: page.getByRole('heading', { name: 'Search' }) });
  await tree.getByText('9 steps, 5 states, 1 queued · 180 ms in Lean').waitFor();
  await tree.getByText('1 tactic failed here').click();
  await tree.getByText('omega failed to prove the goal').waitFor();
  await tree.getByText('constructor', { exact: true }).click();
  await tree.getByText('⊢ n * 0 = 0', { exact: true }).click();
  await tree.getByText('no goals').waitFor();
  expect(await tree.getByText('queued, -2.0').count()).toBe(1);
  await tree.getByText('⊢ f n = n', { exact: true }).click();
  await tree.getByText('cases n', { exact: true }).click();
  await tree.getByText('⊢ f (n + 1) = n + 1', { exact: true }).click();
  await tree.getByText('seen elsewhere').waitFor();
  expect(desk.complaints).toEqual([]);

  await desk.open('goals/nowhere');
  await page.getByRole('alert').getByText('has no goal nowhere').waitFor();
});

test('with the token a goal can be retried, cancelled and moved in the queue; the ledger has the request', async () => {
  await using desk = await openDesk(story().events);
  const { page } = desk;
  await desk.open('goals/failing');
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('retry requested').first().waitFor();
  await page.getByLabel('Priority, 0 to 1').fill('0.9');
  await page.getByRole('button', { name: 'Set priority' }).click();
  await page.getByText('priority requested').first().waitFor();
  const events = await desk.ledger.journal.eventsSince(0, 100);
  const requested = events.filter(({ type }) => type === 'control-requested');
  expect(requested).toMatchObject([
    { action: 'retry', goal: 'failing' },
    { action: 'priority', goal: 'failing', value: 0.9 },
  ]);
  expect(page.url()).not.toContain('token'); // a copied link gives nothing away
});

longTest('without the token no action is offered', async () => {
  await using desk = await openDesk(twoRuns(), { withToken: false });
  const { page } = desk;
  await desk.open('goals/sqrt_two_irrational');
  await page.getByText('Statement').first().waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  await desk.open('');
  await page.getByText('Workers').first().waitFor();
  expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
});

test('an ARC task is drawn as grids: every training pair, and the test inputs', async () => {
  const [task] = invented;
  if (!task) throw new Error('there is no task');
  const statement = describeTask(task);
  const events = new Story('run-1', start).begin().add(task.id, { statement, topic: 'arc' }).sample().events;
  await using desk = await openDesk(events);
  const { page } = desk;
  await desk.open(`goals/${task.id}`);
  for (const [index, { input, output }] of task.train.entries())
    for (const [name, { width, height }] of [
      [new RegExp(`^input ${index + 1}\\b`), input],
      [new RegExp(`^output ${index + 1}\\b`), output],
    ] as const) {
      const grid = page.getByRole('img', { name });
      await grid.waitFor();
      await expect.poll(async () => await grid.locator('rect').count()).toBe(width * height);
    }
  await page.getByRole('img', { name: /^test input 1\b/ }).waitFor();
  expect(desk.complaints).toEqual([]);
});

/** As the domain reports it. */
function describeTask(task: Task): string {
  return new ArcDomain(new ThreadPool()).rows.goal(task).statement;
}
