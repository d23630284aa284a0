import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PageSource } from '../../src/server/page.ts';
import { eventually } from '../helpers/processes.ts';
import { expectHeading, openDesk } from './desk.ts';
import { manyGoals, twoRuns } from './stories.ts';

const focused = `(() => { const e = document.activeElement; return e.dataset.index ?? e.getAttribute('aria-label') ?? e.id })()`;

test('everything can be reached with the keyboard', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  await desk.open('goals');
  const rows = page.getByRole('list', { name: 'Goals' }).getByRole('link');
  await rows.first().waitFor();

  await page.keyboard.press('Tab');
  await expect
    .poll(async () => await page.evaluate('document.activeElement.textContent'))
    .toBe('Skip to the view');
  await page.keyboard.press('Enter');
  await expect.poll(async () => await page.evaluate(focused)).toBe('view');

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => await page.evaluate(focused)).toBe('2');
  await page.keyboard.press('k');
  await expect.poll(async () => await page.evaluate(focused)).toBe('1');
  await expect
    .poll(async () => await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'))
    .toBe('solid');
  await page.keyboard.press('End');
  await eventually(async () => (await page.evaluate(focused)) === '63');

  await page.keyboard.press('/');
  await expect.poll(async () => await page.evaluate(focused)).toBe('Search goals');
  await page.keyboard.type('sqrt_two');
  await page.getByText('4 of 64 goals').or(page.getByText('3 of 64 goals')).waitFor();
  await page.keyboard.press('ArrowDown');
  const goal = await rows.first().locator('b').textContent();
  await page.keyboard.press('Enter');
  await expectHeading(page, goal ?? '');
  await page.goBack();
  await expectHeading(page, 'Goals');
  await expect.poll(async () => await page.getByLabel('Search goals').inputValue()).toBe('sqrt_two');

  // the back button leads to the place in the list where one was
  await desk.open('goals?sort=goal');
  const row = page.getByRole('link').filter({ has: page.getByText('square_mod_four_2', { exact: true }) });
  await rows.first().waitFor();
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await row.click();
  await expectHeading(page, 'square_mod_four_2');
  await eventually(async () => (await page.evaluate('scrollY')) === 0);
  await page.goBack();
  await eventually(async () => Number(await page.evaluate('scrollY')) > 1000);
});

test('the theme follows the system until the reader chooses; nothing moves with reduced motion', async () => {
  await using desk = await openDesk(twoRuns(), { colorScheme: 'dark', reducedMotion: 'reduce' });
  const { page } = desk;
  const paper = 'getComputedStyle(document.documentElement).backgroundColor';
  await desk.open('machine');
  await expectHeading(page, 'Machine');
  await expect.poll(async () => await page.evaluate(paper)).toBe('rgb(18, 19, 21)');
  await page.getByRole('button', { name: 'light' }).click();
  await expect.poll(async () => await page.evaluate(paper)).toBe('rgb(250, 249, 247)');
  await page.reload();
  await expectHeading(page, 'Machine');
  await expect.poll(async () => await page.evaluate(paper)).toBe('rgb(250, 249, 247)');
  await page.getByRole('button', { name: 'auto' }).click();
  await expect.poll(async () => await page.evaluate(paper)).toBe('rgb(18, 19, 21)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(async () => await page.evaluate(paper)).toBe('rgb(250, 249, 247)');
  await page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(async () => await page.evaluate('document.getAnimations().length')).toBe(0);
});

test('prints on white, without controls and without empty pages', async () => {
  await using desk = await openDesk(manyGoals(1000), { colorScheme: 'dark' });
  const { page } = desk;
  await desk.open('goals');
  await page.locator('a.goal-row').nth(5).waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 700, height: 1000 });
  await expect.poll(async () => await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByLabel('Search goals').isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
    'rgb(255, 255, 255)',
  );
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(700);
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
  expect(pages?.length).toBeGreaterThan(0);
  expect(pages?.length).toBeLessThan(6);
});

test('the script stays under 130 kB gzipped', async () => {
  const page = await new PageSource().page();
  expect(gzipSync(page['main.js']).length).toBeLessThan(130_000);
});
