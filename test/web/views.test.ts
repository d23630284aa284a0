import { expect, test } from 'vitest';
import { allViews, expectHeading, openDesk } from './desk.ts';
import { manyGoals, twoRuns } from './stories.ts';

test('each view has an address and shows what the ledger holds', async () => {
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
    goals: ['64 of 64 goals', 'sqrt_two_irrational'],
    'goals/sqrt_two_irrational': [
      'Statement',
      'bank.jsonl:4',
      'The closest script',
      'Attempts',
      'Details: why',
    ],
    strategies: ['micro/close', 'search/shallow', 'CPU a proof', 'Scores over time'],
    market: ['sqrt_two_irrational_helper', 'Completed'],
    cache: ['Scripts judged most often', 'Attempts with a hit'],
    machine: ['Memory', 'Goals that wait', 'lean-4.28.0-embedded'],
    runs: ['done', 'running', '52 of 64'],
    'runs/compare/older/newer': ['64 goals in both', 'Gained', 'Lost'],
  };
  for (const [view, heading] of allViews) {
    await desk.open(view);
    await expectHeading(page, heading);
    for (const text of shows[view] ?? []) await page.getByText(text, { exact: false }).first().waitFor();
  }
  expect(desk.complaints).toEqual([]);
});

test('the navigation leads everywhere and the back button back', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('');
  for (const name of ['Goals', 'Strategies', 'Market', 'Cache', 'Machine', 'Runs']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await expectHeading(page, name);
    await expect.poll(async () => await page.title()).toBe(`${name} · orch`);
  }
  await page.goBack();
  await expectHeading(page, 'Machine');
  await page.goBack();
  await expectHeading(page, 'Cache');
  await page.reload();
  await expectHeading(page, 'Cache');
});

test('two runs are chosen and laid side by side, the older one first', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('runs');
  await page.getByLabel('Compare run newer').check();
  await page.getByLabel('Compare run older').check();
  await page.getByRole('link', { name: 'Compare these two' }).click();
  await expectHeading(page, 'Two runs');
  await expect.poll(() => page.url()).toContain('#/runs/compare/older/newer');
});

test('another run than the latest is shown when the address says so', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('goals?run=older&status=solved');
  await page.getByText('52 of 64 goals').waitFor();
  await page.getByRole('link', { name: 'Back to the latest' }).click();
  await page.getByText('64 of 64 goals').waitFor();
});

test('filter, search and sort are part of the address', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('goals');
  const rows = page.getByRole('list', { name: 'Goals' }).getByRole('link');
  await rows.first().waitFor();
  await expect
    .poll(async () => await rows.first().getByRole('img').getAttribute('aria-label'))
    .toBe('unsolved'); // failures first
  await page.getByRole('button', { name: 'solved 40', exact: true }).click();
  await page.getByText('40 of 64 goals').waitFor();
  await page.getByLabel('Search goals').fill('peirce');
  await page.getByText('3 of 64 goals').or(page.getByText('2 of 64 goals')).waitFor();
  await page.getByLabel('Sort by').selectOption('cpu_seconds');
  await expect.poll(() => page.url()).toMatch(/#\/goals\?.*status=solved/);
  await expect.poll(() => page.url()).toMatch(/q=peirce/);
  await page.reload();
  await page.getByLabel('Search goals').waitFor();
  await expect.poll(async () => await page.getByLabel('Search goals').inputValue()).toBe('peirce');
  await expect.poll(async () => await page.getByLabel('Sort by').inputValue()).toBe('cpu_seconds');
});

test('of 5,000 goals only those on the screen are loaded and drawn', async () => {
  await using desk = await openDesk(manyGoals(5000));
  const { page } = desk;
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/goals?')) asked++;
  });
  await desk.open('goals?sort=goal');
  const list = page.getByRole('list', { name: 'Goals' });
  await page.getByText('5\u202F000 of 5\u202F000 goals').waitFor();
  await list.getByText('add_comm_three', { exact: true }).waitFor();
  expect(asked).toBeLessThanOrEqual(3);
  await page.mouse.move(600, 400);
  for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 2000);
  await page.keyboard.press('End');
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await list.getByText('sum_first_n_249', { exact: true }).waitFor();
  await expect.poll(async () => await list.getByRole('listitem').count()).toBeLessThan(80);
  await page.getByLabel('Search goals').fill('pigeonhole_two_249');
  await page.getByText('1 of 5\u202F000 goals').waitFor();
  expect(desk.complaints).toEqual([]);
});
