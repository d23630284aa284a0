import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../src/core/clock.ts';
import { PageSource } from '../src/server/page.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { openStage, type Stage } from '../test/web/stage.ts';
import { lookedAt, manyGoals } from '../test/web/stories.ts';
import { renderTable, type Figure } from './table.ts';

/** Measures the dashboard with many goals in a real browser: `npm run bench:page`. Figures are medians of several tries. */
const goals = 20_000;
const few = 100;
const tries = 5;

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-page-'));
try {
  console.log(renderTable(await measure(path.join(folder, 'many.db'), path.join(folder, 'few.db'))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(file: string, fewFile: string): Promise<Figure[]> {
  const clock: Clock = { now: () => performance.now(), date: () => new Date(lookedAt) };
  await using ledger = await openLedger(file, { clock });
  await ledger.journal.append([...manyGoals(goals)]);
  await using stage = await openStage(file, clock, { date: lookedAt });
  const { page } = stage;
  await page.goto(stage.address('')); // the first answer waits for the bundler
  await page.getByText('Live', { exact: true }).waitFor();
  const list = await repeat(async () => await openList(stage));
  const script = (await new PageSource().page())['main.js'];
  return [
    {
      name: 'script, gzipped',
      value: gzipSync(script).length / 1000,
      unit: 'kB',
      floor: 100,
      smallerIsBetter: true,
    },
    time(`${goals} goals: address to a list one can scroll`, list, 1000),
    {
      name: `the same with ${few} goals: so much faster`,
      value: list / (await openFew(fewFile, clock)),
      unit: 'x',
      floor: 1.5,
      smallerIsBetter: true,
    },
    time(
      `${goals} goals: a search, from the key to the rows`,
      await repeat(async (index) => await search(page, index)),
      1000,
    ),
    time(
      `${goals} goals: longest task while scrolling`,
      await longestTask(page, stage.address('goals')),
      200,
    ),
    time(
      'an attempt, from the ledger to the row',
      await attemptToRow(page, stage.address('goals?status=racing'), ledger),
      1000,
    ),
  ];
}

function time(name: string, value: number, floor: number): Figure {
  return { name, value, unit: 'ms', floor, smallerIsBetter: true };
}

async function repeat(once: (index: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < tries; index++) times.push(await once(index));
  return times.sort((one, two) => one - two)[tries >> 1] ?? 0;
}

/** The time to open the page with few goals, on this machine and under its load. */
async function openFew(file: string, clock: Clock): Promise<number> {
  await using ledger = await openLedger(file, { clock });
  await ledger.journal.append([...manyGoals(few)]);
  await using stage = await openStage(file, clock, { date: lookedAt });
  return await repeat(async () => await openList(stage));
}

/** From opening the URL to the first row and an answered key press, on a server without cached goals. */
async function openList(stage: Stage): Promise<number> {
  const { page } = stage;
  await page.goto('about:blank');
  await stage.stopServer();
  await stage.startServer();
  await fetch(stage.address('')); // an installed package includes its script; here the bundler builds it
  const start = performance.now();
  await page.goto(stage.address('goals'), { waitUntil: 'commit' });
  await page.locator('a.goal-row').first().waitFor();
  await page.keyboard.press('j');
  await page.locator('a.goal-row:focus').waitFor();
  return performance.now() - start;
}

async function search(page: Page, index: number): Promise<number> {
  const start = performance.now();
  await page.getByLabel('Search goals').fill(`gcd_comm_${100 + index}`);
  await page.getByText(`gcd_comm_${100 + index}`, { exact: true }).waitFor();
  return performance.now() - start;
}

/** The browser's own measurement of tasks that blocked the page for more than 50 ms. */
async function longestTask(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.locator('a.goal-row').first().waitFor();
  await page.evaluate(
    `window.longest = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }).observe({ entryTypes: ['longtask'] })`,
  );
  await page.mouse.move(600, 400);
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 4000);
  await page.waitForTimeout(500);
  return Number(await page.evaluate('longest'));
}

async function attemptToRow(page: Page, address: string, ledger: Ledger): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.getByText('Live', { exact: true }).waitFor();
  return await repeat(async (index) => await live(page, ledger, index));
}

/** While the run's last attempt is in progress, another one on the same goal fails, and its row shows why. */
async function live(page: Page, ledger: Ledger, index: number): Promise<number> {
  const error = `said just now, ${index}`;
  const events = await ledger.journal.eventsSince(0, 100_000);
  const under = events.findLast((event) => event.type === 'attempt-started');
  const finished = events.findLast((event) => event.type === 'attempt-finished');
  if (under === undefined || finished === undefined) throw new Error('nothing was tried');
  const attempt = `measured-${index}`;
  const { goal, goal_hash } = under;
  const start = performance.now();
  await ledger.journal.append([
    { ...under, attempt },
    { ...finished, attempt, goal, goal_hash, outcome: 'failed', error },
  ]);
  await page.getByText(error).first().waitFor();
  return performance.now() - start;
}
