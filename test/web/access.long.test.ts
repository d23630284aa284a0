import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ArcDomain } from '../../src/arc/domain.ts';
import { ThreadPool } from '../../src/arc/solve/pool.ts';
import { invented } from '../arc/invented.ts';
import { searched } from '../store/ledger/searched.ts';
import { start, Story } from '../store/ledger/story.ts';
import { blueprintStage } from './blueprint-stage.ts';
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
  await desk.open(view);
  await expectHeading(desk.page, heading);
  await expectAccess(desk.page);
});

test.each(['coverage', 'coverage?node=lem%3Ainsert-comm'])(
  'no serious fault in #/%s, and nothing is cut off',
  async (view) => {
    await using stage = await blueprintStage();
    const { page } = stage;
    await page.goto(stage.address(view));
    await expectHeading(page, 'Coverage');
    await page.getByRole('group', { name: 'Dependency graph' }).waitFor();
    await expectAccess(page);
    await expectNoCutOff(page);
  },
);

test.each(['arc', 'goals/TASK'])('no serious fault in #/%s, and nothing is cut off', async (view) => {
  const domain = new ArcDomain(new ThreadPool());
  const story = new Story('run-1', start).begin();
  for (const task of invented)
    story.add(task.id, { statement: domain.rows.goal(task).statement, topic: 'arc' });
  const [first] = invented;
  await using desk = await openDesk(story.sample().events);
  const { page } = desk;
  await desk.open(view.replace('TASK', first?.id ?? ''));
  await page.getByRole('img').first().waitFor();
  await expectAccess(page);
  await expectNoCutOff(page);
});

async function expectAccess(page: Page): Promise<void> {
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
}

async function expectNoCutOff(page: Page): Promise<void> {
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(async () => await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
}

test('the dashboard announces that it is live each time it is opened', async () => {
  await using desk = await openDesk(twoRuns());
  const { page } = desk;
  for (let visit = 0; visit < 12; visit++) {
    await page.goto('about:blank');
    await desk.open('market');
    await page.getByText('Live', { exact: true }).waitFor();
  }
});
