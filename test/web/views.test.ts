import { expect, test } from 'vitest';
import { slice, longTest } from '../helpers/tier.ts';
import { allViews, expectHeading, openDesk } from './desk.ts';
import { manyGoals, twoRuns } from './stories.ts';

test('each view has a URL, shows the ledger’s data, and fits every screen', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  const shows: Readonly<Record<string, readonly string[]>> = {
    '': [
      'Goals proved',
      'Workers',
      '2 of 2 busy',
      'CPU against target',
      'Not proved',
      'Last proved',
      'Time left',
      'By topic',
      'Queue by difficulty',
    ],
    project: ['1 file', 'bank.jsonl', '40 of 64 proved'],
    goals: ['64 of 64 goals', 'sqrt_two_irrational'],
    'goals/sqrt_two_irrational': [
      'Statement',
      'bank.jsonl:4',
      'The closest script',
      'Attempts',
      'Details: why',
    ],
    strategies: ['micro/close', 'search/shallow', 'CPU per proof', 'Scores over time'],
    market: ['sqrt_two_irrational_helper', 'Completed'],
    cache: ['Scripts judged most often', 'Attempts with a hit'],
    machine: ['Memory', 'Waiting goals', 'lean-4.28.0-embedded'],
    runs: ['done', 'running', '52 of 64'],
    'runs/compare/older/newer': ['64 goals in both', 'Gained', 'Lost'],
  };
  for (const [view, heading] of allViews) {
    await desk.open(view);
    await expectHeading(page, heading);
    for (const text of shows[view] ?? []) await page.getByText(text, { exact: false }).first().waitFor();
    for (const width of slice([390, 768, 1280], 2)) {
      await page.setViewportSize({ width, height: 844 });
      const seen = async () => [view, await page.evaluate('document.documentElement.scrollWidth')];
      await expect.poll(seen).toEqual([view, width]);
    }
  }
  expect(desk.complaints).toEqual([]);
});

test('navigation and the back button work; two runs are shown side by side; the URL names the run', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('');
  for (const name of ['Strategies', 'Machine', 'Runs']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expectHeading(page, name);
    await expect.poll(async () => await page.title()).toBe(`${name} · orch`);
  }
  // views with nothing to show are not offered: here is no blueprint and no ARC task
  for (const name of ['Coverage', 'ARC']) expect(await page.getByRole('link', { name }).count()).toBe(0);
  await page.goBack();
  await expectHeading(page, 'Machine');
  await page.reload();
  await expectHeading(page, 'Machine');

  await page.goForward();
  await page.getByLabel('Compare run newer').check();
  await page.getByLabel('Compare run older').check();
  await page.getByRole('link', { name: 'Compare these two' }).click();
  await expectHeading(page, 'Two runs');
  await expect.poll(() => page.url()).toContain('#/runs/compare/older/newer'); // the older one first

  await desk.open('goals?run=older&status=solved');
  await page.getByText('52 of 64 goals').waitFor();
  await page.getByRole('link', { name: /^Show the newest/ }).click();
  await page.getByText('64 of 64 goals').waitFor();

  // filter, search and sort are part of the address
  const rows = page.getByRole('list', { name: 'Goals' }).getByRole('link');
  const state = rows.first().getByRole('img').first();
  await expect.poll(async () => await state.getAttribute('aria-label')).toBe('unsolved'); // failures first
  await page.getByRole('button', { name: 'solved 40', exact: true }).click();
  await page.getByText('40 of 64 goals').waitFor();
  await page.getByRole('button', { name: /^unsolved / }).click();
  await page.getByText(/^4[1-9] of 64 goals/).waitFor();
  await page.getByRole('button', { name: /^unsolved / }).click();
  await page.getByLabel('Search goals').fill('peirce');
  await page.getByText('3 of 64 goals').or(page.getByText('2 of 64 goals')).waitFor();
  await page.getByLabel('Sort by').selectOption('cpu_seconds');
  await expect.poll(() => page.url()).toMatch(/#\/goals\?.*status=solved/);
  await expect.poll(() => page.url()).toMatch(/q=peirce/);
  await page.reload();
  await page.getByLabel('Search goals').waitFor();
  await expect.poll(async () => await page.getByLabel('Search goals').inputValue()).toBe('peirce');
  await expect.poll(async () => await page.getByLabel('Sort by').inputValue()).toBe('cpu_seconds');
  expect(desk.complaints).toEqual([]);
});

longTest('with a thousand goals only the visible ones are loaded and drawn', async () => {
  await using desk = await openDesk(manyGoals(1000, 40));
  const { page } = desk;
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/goals?')) asked++;
  });
  await desk.open('goals?sort=goal');
  const list = page.getByRole('list', { name: 'Goals' });
  await page.getByText('1\u202F000 of 1\u202F000 goals').waitFor();
  await list.getByText('add_comm_three', { exact: true }).waitFor();
  expect(asked).toBeLessThanOrEqual(3);
  await page.mouse.move(600, 400);
  for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 2000);
  await page.keyboard.press('End');
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await list.getByText('sum_first_n_49', { exact: true }).waitFor();
  await expect.poll(async () => await list.getByRole('listitem').count()).toBeLessThan(80);
  await page.getByLabel('Search goals').fill('pigeonhole_two_49');
  await page.getByText('1 of 1\u202F000 goals').waitFor();
  expect(desk.complaints).toEqual([]);
});
