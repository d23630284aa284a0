import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { systemClock, type Clock } from '../src/core/clock.ts';
import type { RunEvent } from '../src/shared/events.ts';
import type { Ledger } from '../src/store/ledger/ledger.ts';
import { openLedger } from '../src/store/open.ts';
import { searchTreesOf } from '../src/store/ledger/search-tree.ts';
import { recordedRuns, recordedSearches, remember } from '../test/web/recorded.ts';
import { openStage, type Stage } from '../test/web/stage.ts';

/**
 * Pictures of every view, in docs/screenshots: light, dark and narrow. They show real runs: those that `npm run docs:record` has
 * recorded, and short ones made now; or your own: `npm run docs:screenshots [-- --ledger FILE]`.
 */
interface Picture {
  readonly name: string;
  /** Undefined: there is nothing to show in this ledger. */
  readonly view: string | undefined;
  /** The heading of the card to show at the top; without it, the view starts at its own top. */
  readonly from?: string;
}

/** How each view is looked at. */
const looks = [
  { name: 'light', scheme: 'light', width: 1280, height: 800 },
  { name: 'dark', scheme: 'dark', width: 1280, height: 800 },
  { name: 'narrow', scheme: 'light', width: 390, height: 844 },
] as const;

/** The views with a picture of a single item. */
interface Shown {
  readonly proved: string | undefined;
  readonly failed: string | undefined;
  readonly searched: string | undefined;
  readonly runs: readonly string[];
}

function picturesOf({ proved, failed, searched, runs: [newer, older] }: Shown): Picture[] {
  return [
    { name: 'now', view: '' },
    { name: 'goals', view: 'goals' },
    { name: 'goal-failed', view: viewOf(failed) },
    { name: 'goal-search', view: viewOf(searched), from: 'Search' },
    { name: 'goal-proved', view: viewOf(proved) },
    { name: 'project', view: 'project' },
    { name: 'strategies', view: 'strategies' },
    { name: 'market', view: 'market' },
    { name: 'cache', view: 'cache' },
    { name: 'machine', view: 'machine' },
    { name: 'runs', view: 'runs' },
    { name: 'history', view: newer === undefined ? undefined : `runs/history?run=${newer}` },
    { name: 'compare', view: older === undefined ? undefined : `runs/compare/${older}/${newer ?? ''}` },
  ];
}

function viewOf(goal: string | undefined): string | undefined {
  return goal === undefined ? undefined : `goals/${encodeURIComponent(goal)}`;
}

const folder = path.join(import.meta.dirname, 'screenshots');
const { values } = parseArgs({ options: { ledger: { type: 'string' } } });
mkdirSync(folder, { recursive: true });
for (const old of globSync('*.png', { cwd: folder })) rmSync(path.join(folder, old));
if (values.ledger === undefined) {
  await ofEvents(recordedRuns());
  await ofNewRun(
    path.join('docs', 'tour'),
    ['arc', 'solve', 'arc.jsonl'],
    [
      { name: 'arc', view: 'arc' },
      { name: 'arc-task', view: viewOf('largest') },
    ],
  );
  await ofNewRun(
    path.join('examples', 'sorting'),
    ['run', '.', '--goal-cpu', '4', '--cpu-target', '1'],
    [{ name: 'coverage', view: 'coverage' }],
  );
} else await shoot(values.ledger, systemClock);

/** Looked at a minute after their end. */
async function ofEvents(events: RunEvent[]): Promise<void> {
  const end = (events.at(-1)?.at ?? 0) + 60_000;
  const clock: Clock = { now: () => performance.now(), date: () => new Date(end) };
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'orch-screenshots-'));
  try {
    const file = path.join(temporary, 'ledger.db');
    await using ledger = await openLedger(file, { clock });
    await ledger.journal.append(events);
    await remember(ledger.experience, recordedSearches());
    await shoot(file, clock, { date: end });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** In a copy of a folder of this repository: *Coverage* reads the blueprint beside the ledger. */
async function ofNewRun(
  source: string,
  args: readonly string[],
  pictures: readonly Picture[],
): Promise<void> {
  const root = path.join(import.meta.dirname, '..');
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'orch-screenshots-'));
  try {
    cpSync(path.join(root, source), temporary, { recursive: true });
    spawnSync(process.execPath, [path.join(root, 'src', 'cli.ts'), ...args], {
      cwd: temporary,
      stdio: 'inherit',
    });
    await shoot(path.join(temporary, '.orch', 'ledger.db'), systemClock, { pictures });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The most expensive goal that was proved, the most expensive that was not and the one with the largest search, of the newest run; the two newest runs. */
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

interface Scene {
  /** The browser's date, if it is not the machine's. */
  readonly date?: number | undefined;
  /** Otherwise those of every ledger. */
  readonly pictures?: readonly Picture[] | undefined;
}

async function shoot(ledger: string, clock: Clock, { date, pictures }: Scene = {}): Promise<void> {
  const wanted = pictures ?? picturesOf(await whatToShow(ledger));
  const options = { reducedMotion: 'reduce', ...(date !== undefined && { date }) } as const;
  await using stage = await openStage(ledger, clock, options);
  for (const { name, view, from } of wanted) {
    if (view === undefined) continue;
    for (const look of looks) await shootOne(stage, { name: `${name}-${look.name}`, view, from, look });
  }
}

async function shootOne(
  stage: Stage,
  {
    name,
    view,
    from,
    look,
  }: { name: string; view: string; from: string | undefined; look: (typeof looks)[number] },
): Promise<void> {
  const { page } = stage;
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.emulateMedia({ colorScheme: look.scheme });
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
