import axe from 'axe-core';
import { expect, test } from 'vitest';
import { searched } from '../store/ledger/searched.ts';
import { allViews, expectHeading, openDesk } from './desk.ts';
import { hashOf } from './sample-run.ts';
import { twoRuns } from './stories.ts';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

test.each(allViews)('axe finds no serious fault in #/%s, light or dark', async (view, heading) => {
  await using desk = await openDesk(twoRuns());
  await searched(desk.ledger, { goal_hash: hashOf('sqrt_two_irrational'), fingerprint: 'a41f0c9be2d7' });
  const { page } = desk;
  await desk.open(view);
  await expectHeading(page, heading);
  await expect.poll(async () => await page.locator('[aria-busy]').count()).toBe(0);
  // all that opens is open
  for (let level = 0; level < 4; level++)
    await page.evaluate(
      'document.querySelectorAll("details:not([open]) > summary").forEach((each) => each.click())',
    );
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
      violations: readonly Violation[];
    };
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary])).toEqual([]);
  }
});

test('a page says that it is live however often it is opened', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  for (let visit = 0; visit < 12; visit++) {
    await page.goto('about:blank');
    await desk.open('market');
    await page.getByText('Live', { exact: true }).waitFor();
  }
});
