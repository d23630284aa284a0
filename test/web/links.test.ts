import path from 'node:path';
import { expect, test } from 'vitest';
import type { Moment } from '../../src/shared/api.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { systemClock } from '../../src/core/clock.ts';
import { sharedChromium } from '../helpers/chromium.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { expectHeading, openDesk } from './desk.ts';
import { runsOfAllKinds } from './recorded.ts';
import { openStage } from './stage.ts';
import { longTest } from '../helpers/tier.ts';

const events = runsOfAllKinds();
const started = events.filter((event) => event.type === 'run-started');
const of = (label: string): string => started.find((event) => event.label === label)?.run ?? '';
const arc = started.find(({ command }) => command.startsWith('arc'))?.run ?? '';
const newest = started.at(-1)?.run ?? '';

longTest('every link contains its run; an address without one follows the newest', async () => {
  const [last] = events.slice(events.findIndex(({ run }) => run === newest));
  const before = events.filter(({ run }) => run !== newest);
  await using desk = await openDesk(before);
  const { page } = desk;
  const second = started.at(-2)?.run ?? '';
  await desk.open('goals');
  await expect.poll(() => page.url()).toContain(`run=${second}`);
  const links = await page.locator('nav a, .goals a').evaluateAll((all) => all.map((link) => link.href));
  expect(links.filter((link) => !link.includes(`run=${second}`))).toEqual([]);
  expect(links.length).toBeGreaterThan(8);

  await desk.ledger.journal.append(events.filter(({ run }) => run === newest));
  expect(last?.run).toBe(newest);
  await expect.poll(() => page.url()).toContain(`run=${newest}`);

  // a link that was kept shows its run, whichever is the newest
  await desk.open(`now?run=${of('first')}`);
  await page.getByText('10 of 13').waitFor();
  await page.getByText('Not the newest run').waitFor();
  await page.getByRole('link', { name: /^Show the newest/ }).click();
  await expect.poll(() => page.url()).toContain(`run=${newest}`);
  expect(desk.complaints).toEqual([]);
});

test('a run can be viewed at any moment, which is part of the URL', async () => {
  await using desk = await openDesk(events);
  const { page, port } = desk;
  const run = of('first');
  const own = events.filter((event) => event.run === run);
  const closings = own.filter((event) => event.type === 'goal-closed' && event.solved);
  const third = closings[2] as RunEvent;
  const lemmas = new Set(
    own.flatMap((event) => (event.type === 'goal-added' && event.requester !== null ? [event.goal] : [])),
  );
  const proved = closings
    .slice(0, 3)
    .filter((event) => 'goal' in event && !lemmas.has(event.goal ?? '')).length;
  const at = (await (
    await fetch(`http://127.0.0.1:${port}/api/history/${run}?at=${third.at}`)
  ).json()) as Moment;
  expect(at.goals.solved).toBe(proved);
  await desk.open(`runs/history?run=${run}&at=${third.at}`);
  await page.getByText(`${proved} of 13`).waitFor();
  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('End');
  await page.getByText('10 of 13').waitFor();
  await page.keyboard.press('Home');
  await expect.poll(() => page.url()).toContain(`at=${at.from}`);
  await page.getByText(/^0 of \d+$/).waitFor();
  expect(desk.complaints).toEqual([]);
});

longTest('a timed-out run shows nothing as active, and names its open goals', async () => {
  await using desk = await openDesk(events);
  const { page } = desk;
  await desk.open(`now?run=${of('first')}`);
  for (const text of ['racing 0', 'parked 0', 'queued 0', 'stopped 2', '1 refuted, 2 not finished'])
    await page.getByText(text, { exact: true }).waitFor();
  await page.locator('.head').getByText('first', { exact: true }).waitFor(); // its label
  await page.getByText(/^timed out/).waitFor();
  const underWay = page.locator('.figure', { hasText: 'Attempts in progress' }).locator('dd').first();
  expect(await underWay.textContent()).toBe('0');
  expect(await page.getByText('No goal closed yet').count()).toBe(0);
  expect(desk.complaints).toEqual([]);
});

test('a helper lemma is listed apart from the run’s goals', async () => {
  await using desk = await openDesk(events);
  const { page } = desk;
  await desk.open(`goals?run=${of('first')}`);
  await page.getByText('13 of 13 goals').waitFor();
  await page.getByRole('button', { name: 'helper lemmas 1' }).click();
  await page.getByText('1 of 1 goal', { exact: true }).waitFor();
  expect(page.url()).toContain('lemmas=yes');
});

test('ARC tasks show no hints about Lean and no JSON, and the Project view stays', async () => {
  await using desk = await openDesk(events);
  const { page } = desk;
  await desk.open(`goals?run=${arc}`);
  await page.getByText('3 pairs, 1 test').first().waitFor();
  expect(await page.getByText('{"train"').count()).toBe(0);
  await page.getByRole('navigation').getByRole('link', { name: 'Project' }).waitFor();
  await desk.open(`goals/mirror?run=${arc}`);
  await expectHeading(page, 'mirror');
  await page.getByText('Correct pairs').waitFor();
  expect(
    await page
      .locator('main')
      .getByText(/\bLean\b/)
      .count(),
  ).toBe(0);
  await desk.open(`arc?run=${arc}`);
  await page.getByRole('img', { name: 'Reliability' }).waitFor();
});

test('an ARC rule is shown as text, with a picture per step', async () => {
  const folder = temporaryFolder();
  await orch(['arc', 'solve', path.resolve('docs/tour/arc.jsonl'), '--max-nodes', '2000'], { cwd: folder });
  const ledger = path.join(folder, '.orch', 'ledger.db');
  await using stage = await openStage(ledger, systemClock, { browser: await sharedChromium() });
  const { page } = stage;
  await page.goto(stage.address('goals/mirror'));
  await page.getByText(/^Attempt 1 \(\d+ %\): Mirror the image left to right\./).waitFor();
  const steps = page.locator('.card', { has: page.getByRole('heading', { name: 'Step by step' }) });
  await steps.getByRole('img', { name: 'step 1, image 1, 3 by 2' }).waitFor();
  expect(stage.complaints).toEqual([]);
});

test('the feed can copy, apply and ship a proof, and retry all failures', async () => {
  await using desk = await openDesk(events, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = desk;
  const copied = async (): Promise<string> => await page.evaluate('navigator.clipboard.readText()');
  await desk.open(`now?run=${of('first')}`);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'peirce' })
    .getByRole('button', { name: 'proof' })
    .click();
  await page.getByRole('button', { name: 'Copy apply command' }).click();
  await expect.poll(copied).toMatch(/^git apply <<'PATCH'\n(?:.|\n)*\+{3} b\/Logic\.lean\n(?:.|\n)*\nPATCH$/);
  await page.getByRole('button', { name: 'Copy ship command' }).click();
  await expect.poll(copied).toBe('orch ship peirce');
  await desk.open(`goals?run=${of('first')}&status=stopped`);
  await page.getByRole('button', { name: 'Copy retry command for 2 goals' }).click();
  await expect.poll(copied).toBe(`orch retry total_reverse two_cubes --run ${of('first')}`);
});

longTest('one goal in all runs: its cost and outcome in each', async () => {
  await using desk = await openDesk(events);
  const { page } = desk;
  await desk.open(`goals/peirce?run=${of('first')}`);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'In all runs' }) });
  await card.getByText(/^\d runs$/).waitFor();
  await card.getByRole('link').first().click();
  await expectHeading(page, 'peirce');
  expect(page.url()).not.toContain(`run=${of('first')}`);
});

test('new events since the last visit are counted, also in the title', async () => {
  const run = of('first');
  const own = events.filter((event) => event.run === run);
  const middle = own.findIndex((event) => event.type === 'goal-closed') + 1;
  await using desk = await openDesk(own.slice(0, middle));
  const { page } = desk;
  await desk.open('');
  await page.getByText('1 of 13').first().waitFor();
  const see = async (isSeen: boolean): Promise<unknown> =>
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isSeen} }); document.dispatchEvent(new Event('visibilitychange'))`,
    );
  await page.clock.setFixedTime(own[middle]?.at ?? 0);
  await see(false);
  await desk.ledger.journal.append(own.slice(middle));
  await expect.poll(async () => await page.title(), { timeout: 60_000 }).toMatch(/^\(\d+\) Now · orch$/);
  await see(true);
  await expect.poll(async () => await page.title()).toBe('Now · orch');
  await page.getByText(/^Since you last looked at .* proved, \d not proved\.$/).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => await page.getByText(/^Since you last looked/).count()).toBe(0);
});
