import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { systemClock, type Clock } from '../src/core/clock.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { searchTreesOf } from '../src/store/ledger/search-tree.ts';
import { recordedRuns, recordedSearches, remember } from '../test/web/recorded.ts';
import { openStage } from '../test/web/stage.ts';

/**
 * Pictures of every view, in docs/screenshots, of real runs: those that `npm run docs:record` has recorded, or your own:
 * `npm run docs:screenshots [-- --ledger FILE]`.
 */
interface Picture {
  readonly name: string;
  /** Undefined: there is nothing to show in this ledger. */
  readonly view: string | undefined;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** The heading of the card to show at the top; without it, the view starts at its own top. */
  readonly from?: string;
}

/** What the pictures of single things show. */
interface Shown {
  readonly proved: string | undefined;
  readonly failed: string | undefined;
  readonly searched: string | undefined;
  readonly runs: readonly string[];
}

function picturesOf({ proved, failed, searched, runs: [newer, older] }: Shown): Picture[] {
  return [
    { name: 'now-light', view: '' },
    { name: 'now-dark', view: '', scheme: 'dark' },
    { name: 'now-narrow', view: '', width: 390 },
    { name: 'goals-light', view: 'goals' },
    { name: 'goals-dark', view: 'goals', scheme: 'dark' },
    { name: 'goals-narrow', view: 'goals', width: 390 },
    { name: 'goal-failed-light', view: viewOf(failed) },
    { name: 'goal-search-light', view: viewOf(searched), from: 'Search' },
    { name: 'goal-search-narrow', view: viewOf(searched), from: 'Search', width: 390 },
    { name: 'goal-proved-dark', view: viewOf(proved), scheme: 'dark' },
    { name: 'goal-proved-narrow', view: viewOf(proved), width: 390 },
    { name: 'project-light', view: 'project' },
    { name: 'strategies-light', view: 'strategies' },
    { name: 'market-light', view: 'market' },
    { name: 'cache-light', view: 'cache' },
    { name: 'machine-light', view: 'machine' },
    { name: 'machine-dark', view: 'machine', scheme: 'dark' },
    { name: 'runs-light', view: 'runs' },
    { name: 'history-light', view: newer === undefined ? undefined : `runs/history?run=${newer}` },
    { name: 'compare-light', view: older === undefined ? undefined : `runs/compare/${older}/${newer ?? ''}` },
  ];
}

function viewOf(goal: string | undefined): string | undefined {
  return goal === undefined ? undefined : `goals/${encodeURIComponent(goal)}`;
}

const folder = path.join(import.meta.dirname, 'screenshots');
const { values } = parseArgs({ options: { ledger: { type: 'string' } } });
mkdirSync(folder, { recursive: true });
for (const old of globSync('*.png', { cwd: folder })) rmSync(path.join(folder, old));
if (values.ledger === undefined) await ofRecordedRuns();
else await shoot(values.ledger, systemClock);

/** Looked at a minute after their end. */
async function ofRecordedRuns(): Promise<void> {
  const events = recordedRuns();
  const end = (events.at(-1)?.at ?? 0) + 60_000;
  const clock: Clock = { now: () => performance.now(), date: () => new Date(end) };
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'orch-screenshots-'));
  try {
    const file = path.join(temporary, 'ledger.db');
    await using ledger = await openLedger(file, { clock });
    await ledger.journal.append(events);
    await remember(ledger.experience, recordedSearches());
    await shoot(file, clock, end);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** the most expensive goal that was proved, the most expensive that was not and the one with the largest search, of the newest run; the two newest runs. */
async function whatToShow(file: string): Promise<Shown> {
  await using ledger = await openLedger(file, { clock: systemClock, readOnly: true });
  const runs = (await ledger.views.runs(2)).map(({ run }) => run);
  const goals = (await ledger.views.goalStates(runs[0] ?? '')).toSorted(
    (first, second) => second.cpu_seconds - first.cpu_seconds,
  );
  return {
    proved: goals.find(({ status }) => status === 'solved')?.goal,
    failed: goals.find(({ status }) => status === 'unsolved')?.goal,
    searched: await mostSearched(ledger, runs[0] ?? ''),
    runs,
  };
}

async function mostSearched({ views, experience }: Ledger, run: string): Promise<string | undefined> {
  let most = { goal: undefined as string | undefined, states: 1 };
  for (const { goal, goal_hash, fingerprint } of await views.goalsOf(run)) {
    const trees = await searchTreesOf(experience, { goal_hash, fingerprint });
    const states = Math.max(0, ...trees.map((tree) => tree.states.length));
    if (states > most.states) most = { goal, states };
  }
  return most.goal;
}

async function shoot(ledger: string, clock: Clock, date?: number): Promise<void> {
  const pictures = picturesOf(await whatToShow(ledger));
  const options = { reducedMotion: 'reduce', ...(date !== undefined && { date }) } as const;
  await using stage = await openStage(ledger, clock, options);
  const { page } = stage;
  for (const { name, view, scheme = 'light', width = 1280, from } of pictures) {
    if (view === undefined) continue;
    await page.setViewportSize({ width, height: width < 500 ? 844 : 800 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('about:blank'); // another part after # alone would not load the page again
    await page.goto(stage.address(view));
    await page
      .getByText(/^(Live|Connected)/)
      .first()
      .waitFor(); // whether or not the run still goes on
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(700); // answers come in several; charts draw after them
    if (from !== undefined) await show(page, from);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    console.log(`docs/screenshots/${name}.png`);
  }
}

/** A card on top of the picture, with two levels of what opens in it open. */
async function show(page: Page, heading: string): Promise<void> {
  const card = page.locator('.card', { has: page.getByRole('heading', { name: heading }) }).first();
  for (let level = 0; level < 2; level++)
    for (const summary of await card.locator('details:not([open]) > summary').all()) {
      if ((await card.locator('details[open]').count()) > 6) break;
      await summary.click();
    }
  await card.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}
