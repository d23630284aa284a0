import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock, type Clock } from '../src/core/clock.ts';
import { openLedger } from '../src/store/ledger/open.ts';
import { openStage } from '../test/web/stage.ts';
import { lookedAt, twoRuns } from '../test/web/stories.ts';

/**
 * Pictures of every view, in docs/screenshots: `npm run docs:screenshots [-- --ledger FILE]`. Without a ledger it makes one
 * from the same events each time, so that a picture changes only when the page does.
 */
interface Picture {
  readonly name: string;
  readonly view: string;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

const pictures: readonly Picture[] = [
  { name: 'now-light', view: '' },
  { name: 'now-dark', view: '', scheme: 'dark' },
  { name: 'now-narrow', view: '', width: 390 },
  { name: 'goals-light', view: 'goals' },
  { name: 'goals-dark', view: 'goals', scheme: 'dark' },
  { name: 'goals-narrow', view: 'goals', width: 390 },
  { name: 'goal-failed-light', view: 'goals/sqrt_two_irrational' },
  { name: 'goal-proved-dark', view: 'goals/pigeonhole_two', scheme: 'dark' },
  { name: 'strategies-light', view: 'strategies' },
  { name: 'market-light', view: 'market' },
  { name: 'cache-light', view: 'cache' },
  { name: 'machine-light', view: 'machine' },
  { name: 'machine-dark', view: 'machine', scheme: 'dark' },
  { name: 'runs-light', view: 'runs' },
  { name: 'compare-light', view: 'runs/compare/older/newer' },
];

const folder = path.join(import.meta.dirname, 'screenshots');
const { values } = parseArgs({ options: { ledger: { type: 'string' } } });
mkdirSync(folder, { recursive: true });
if (values.ledger === undefined) await ofSampleRuns();
else if (existsSync(values.ledger)) await shoot(values.ledger, systemClock, undefined);
else throw new Error(`there is no ledger ${values.ledger}`);

async function ofSampleRuns(): Promise<void> {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'orch-screenshots-'));
  try {
    const file = path.join(temporary, 'ledger.db');
    const clock: Clock = { now: () => performance.now(), date: () => new Date(lookedAt) };
    await using ledger = await openLedger(file, { clock });
    await ledger.journal.append([...twoRuns()]);
    await shoot(file, clock, lookedAt);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function shoot(ledger: string, clock: Clock, date: number | undefined): Promise<void> {
  await using stage = await openStage(ledger, clock, {
    reducedMotion: 'reduce',
    ...(date === undefined ? {} : { date }),
  });
  const { page } = stage;
  for (const { name, view, scheme = 'light', width = 1280 } of pictures) {
    if (view.includes('/') && values.ledger !== undefined) continue; // names of the sample runs
    await page.setViewportSize({ width, height: width < 500 ? 844 : 800 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('about:blank'); // another part after # alone would not load the page anew
    await page.goto(stage.address(view));
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(700); // answers come in several; charts draw after them
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
    console.log(`docs/screenshots/${name}.png`);
  }
}
