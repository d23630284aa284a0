import { expect, test } from 'vitest';
import type { Health } from '../../src/shared/api.ts';
import { eventually } from '../helpers/processes.ts';
import { start, Story } from '../store/ledger/story.ts';
import { openDesk } from './desk.ts';
import { longTest } from '../helpers/tier.ts';

const beginning = (): Story =>
  new Story('run-1', start).begin().add('first').add('second').examine('first').sample();

test('a new attempt appears in every view without a reload', async () => {
  const story = beginning();
  await using desk = await openDesk(story.events);
  const { page } = desk;
  await desk.open('goals');
  const row = page.getByRole('list', { name: 'Goals' }).getByRole('link').filter({ hasText: 'first' });
  await row.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const told = story.events.length;
  story
    .slate('first', 'micro/close')
    .startAttempt('a1', 'first')
    .finishAttempt('a1', 'first', { error: 'simp made no progress' });
  await desk.ledger.journal.append(story.events.slice(told));
  await row.getByText('simp made no progress').waitFor();
  await row.click();
  await page.getByLabel('latest error').getByText('simp made no progress').waitFor();

  const more = story.events.length;
  story
    .startAttempt('a2', 'first', 'micro/cases')
    .finishAttempt('a2', 'first', { arm: 'micro/cases', error: 'deep recursion' });
  await desk.ledger.journal.append(story.events.slice(more));
  await page.getByLabel('latest error').getByText('deep recursion').waitFor();
  expect(desk.complaints).toEqual([]);
});

test('the Now view follows the workers and counts the proofs', async () => {
  const story = beginning();
  await using desk = await openDesk(story.events);
  const { page } = desk;
  await desk.open('');
  await page.getByText('0 of 2').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const told = story.events.length;
  story
    .slate('first', 'micro/close')
    .startAttempt('a1', 'first')
    .finishAttempt('a1', 'first', { outcome: 'solved', error: null })
    .judge('a1', 'first')
    .closeGoal('first')
    .tell('sample', {
      utilisation: 0.4,
      cpu_target: 0.5,
      others: 0.1,
      cpu_seconds: 2,
      resident_bytes: 2e8,
      queued: 0,
      parked: 0,
      workers: [{ pid: 1, resident_bytes: 2e8, goal: 'second', arm: 'micro/induct' }],
    });
  await desk.ledger.journal.append(story.events.slice(told));
  await page.getByText('1 of 2').waitFor();
  await page.getByText('micro/induct, ').waitFor();
  await page.getByText('proved 1').or(page.getByText('solved 1')).first().waitFor();
});

test('a lost connection is shown with its time, and recovers with the missed events', async () => {
  const story = beginning();
  await using desk = await openDesk(story.events);
  const { page } = desk;
  await desk.open('goals/first');
  const status = page.getByRole('status').filter({ hasText: /Live|Stale|Connecting/ });
  await status.getByText('Live').waitFor();
  await desk.stopServer();
  await status.getByText(/^Stale since \d\d:\d\d:\d\d$/).waitFor();
  await page.getByText('these figures are from then').waitFor();

  const told = story.events.length;
  story
    .slate('first', 'micro/close')
    .startAttempt('a1', 'first')
    .finishAttempt('a1', 'first', { error: 'while you were away' });
  await desk.ledger.journal.append(story.events.slice(told));
  await desk.startServer();
  await status.getByText('Live').waitFor();
  await page.getByLabel('latest error').getByText('while you were away').waitFor();
});

longTest('a hidden page closes its connection, and catches up when shown', async () => {
  const story = beginning();
  await using desk = await openDesk(story.events);
  const { page } = desk;
  const clients = async (): Promise<number> => {
    const response = await page.request.get(`http://127.0.0.1:${desk.port}/api/health`);
    return ((await response.json()) as Health).clients;
  };
  const see = async (isSeen: boolean): Promise<unknown> =>
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isSeen} }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await desk.open('goals/first');
  await eventually(async () => (await clients()) === 1);
  await see(false);
  await eventually(async () => (await clients()) === 0);
  const told = story.events.length;
  story
    .slate('first', 'micro/close')
    .startAttempt('a1', 'first')
    .finishAttempt('a1', 'first', { error: 'while nobody looked' });
  await desk.ledger.journal.append(story.events.slice(told));
  await see(true);
  await page.getByLabel('latest error').getByText('while nobody looked').waitFor();
  await expect.poll(async () => await clients()).toBe(1);
});

test('an empty ledger explains how to start, and the first run appears without a reload', async () => {
  await using desk = await openDesk([]);
  const { page } = desk;
  await desk.open('');
  await page.getByText('No runs yet').waitFor();
  await page.getByText('Connected; no active run').waitFor();
  await desk.ledger.journal.append(beginning().events);
  await page.getByText('0 of 2').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});
