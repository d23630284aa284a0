import { expect, test } from 'vitest';
import { blueprintGoal, blueprintStage } from './blueprint-stage.ts';
import { expectHeading } from './desk.ts';

test('Coverage shows chapters, a graph that can be searched and clicked, and links to the goals', async () => {
  await using stage = await blueprintStage();
  const { page } = stage;
  await page.goto(stage.address('coverage'));
  await expectHeading(page, 'Coverage');
  await page.getByRole('navigation').getByRole('link', { name: 'Project' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Coverage' }).click(); // there is a blueprint
  await page.getByText('0 of 15 proofs of the blueprint').waitFor();
  for (const chapter of ['Insertion', 'Sorting', 'Search trees'])
    await page.locator('.files').getByText(chapter, { exact: true }).waitFor();
  const graph = page.getByRole('group', { name: 'Dependency graph' });
  expect(await graph.getByRole('button').count()).toBe(20);
  const whole = await graph.getAttribute('viewBox');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(async () => await graph.getAttribute('viewBox')).not.toBe(whole);
  const zoomed = await graph.getAttribute('viewBox');
  await graph.press('ArrowRight');
  await expect.poll(async () => await graph.getAttribute('viewBox')).not.toBe(zoomed);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(async () => await graph.getAttribute('viewBox')).toBe(whole);
  const search = page.getByRole('searchbox', { name: 'Find a node' });
  await search.fill('insert_comm');
  await page.getByText('1 found').waitFor();
  await search.press('Enter');
  await expect.poll(() => page.url()).toContain('node=lem%3Ainsert-comm');
  await page.getByRole('link', { name: 'Open the goal' }).click();
  await expectHeading(page, blueprintGoal);
  expect(stage.complaints).toEqual([]);
});
