import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startDashboard, type Dashboard } from '../../src/server/server.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { temporaryLedger } from '../store/ledger/temporary.ts';

export const token = 'the-token';

/** The real page in a real browser, served by the real server from a real ledger; all of it ends with the block. */
export interface Desk extends AsyncDisposable {
  readonly page: Page;
  readonly ledger: Ledger;
  readonly file: string;
  readonly port: number;
  /** Where the page was asked to go besides its own server, and what it complained about. */
  readonly complaints: string[];
  /** Opens a view: `goals?status=unsolved`. */
  open(view: string): Promise<void>;
  stopServer(): Promise<void>;
  /** On the same port. */
  startServer(): Promise<void>;
}

export interface DeskOptions extends BrowserContextOptions {
  /** Whether the page is opened at the address that carries the token. */
  readonly withToken?: boolean;
}

/** The server's clock stands at the last event, and the browser's too: a run that has not finished is live. */
export async function openDesk(events: readonly RunEvent[], options: DeskOptions = {}): Promise<Desk> {
  const { withToken = true, ...context } = options;
  const { file, ledger, clock } = temporaryLedger();
  ledger.appendAll(events);
  clock.at = events.at(-1)?.at ?? clock.at;
  clock.now = () => performance.now(); // the date stands still, the stopwatch does not
  const serve = async (port: number): Promise<Dashboard> =>
    await startDashboard({ ledger: file, port, token, clock });
  let server = await serve(0);
  const { port } = server;
  const browser = await launchChromium();
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    ...context,
  });
  await page.clock.setFixedTime(clock.at);
  const complaints = listen(page, port);
  return {
    page,
    ledger,
    file,
    port,
    complaints,
    async open(view) {
      await page.goto(`http://127.0.0.1:${port}/${withToken ? `?token=${token}` : ''}#/${view}`);
    },
    stopServer: async () => await server.close(),
    async startServer() {
      server = await serve(port);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
    },
  };
}

/** Errors in the page, on its console, and requests that leave the machine: none of them is ever right. */
export function listen(page: Page, port: number): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOwn = url.host === `127.0.0.1:${port}` || url.protocol === 'data:' || url.protocol === 'file:';
    if (!isOwn) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}

/** Every view of the page, with the heading that it must show. */
export const allViews: readonly (readonly [view: string, heading: string])[] = [
  ['', 'Now'],
  ['goals', 'Goals'],
  ['goals/sqrt_two_irrational', 'sqrt_two_irrational'],
  ['strategies', 'Strategies'],
  ['market', 'Market'],
  ['cache', 'Cache'],
  ['machine', 'Machine'],
  ['runs', 'Runs'],
  ['runs/compare/older/newer', 'Two runs'],
  ['coverage', 'Coverage'],
];

export async function expectHeading(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
}
