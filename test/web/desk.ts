import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RunEvent } from '../../src/shared/events.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { sharedChromium } from '../helpers/chromium.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

/** A stage with its own ledger with these events in it. */
export interface Desk extends Stage {
  readonly ledger: Ledger;
  /** Where the ledger is. */
  readonly file: string;
  open(view: string): Promise<void>;
}

/** Server and browser use the date of the last event, so an unfinished run is live. The stopwatch continues. */
export async function openDesk(events: readonly RunEvent[], options: StageOptions = {}): Promise<Desk> {
  const { file, ledger, clock } = await temporaryLedger();
  await ledger.journal.append([...events]);
  clock.at = events.at(-1)?.at ?? clock.at;
  clock.now = () => performance.now();
  const stage = await openStage(file, clock, { date: clock.at, browser: await sharedChromium(), ...options });
  return {
    ...stage,
    ledger,
    file,
    async open(view) {
      await stage.page.goto(stage.address(view));
    },
  };
}

/** Every view of the page, with the heading that it must show. */
export const allViews: readonly (readonly [view: string, heading: string])[] = [
  ['', 'Now'],
  ['project', 'Project'],
  ['goals', 'Goals'],
  ['goals?group=topic&dense=yes', 'Goals'],
  ['goals/sqrt_two_irrational', 'sqrt_two_irrational'],
  ['strategies', 'Strategies'],
  ['market', 'Market'],
  ['cache', 'Cache'],
  ['machine', 'Machine'],
  ['runs', 'Runs'],
  ['runs/history', 'History'],
  ['runs/compare/older/newer', 'Two runs'],
];

export async function expectHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await expect.poll(async () => await page.getByRole('heading', { level: 1 }).count()).toBe(1);
}
