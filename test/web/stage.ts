import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Clock } from '../../src/core/clock.ts';
import { startDashboard, type Dashboard } from '../../src/server/server.ts';
import { launchChromium } from '../helpers/chromium.ts';

const token = 'the-token';

/** The real page in a real browser, served by the real server; all of it ends with the block. */
export interface Stage extends AsyncDisposable {
  readonly page: Page;
  readonly port: number;
  /** The page's errors, and its requests to other servers. */
  readonly complaints: string[];
  /** The address of a view: `goals?status=unsolved`. */
  address(view: string): string;
  stopServer(): Promise<void>;
  /** On the same port. */
  startServer(): Promise<void>;
}

export interface StageOptions extends BrowserContextOptions {
  /** Whether the page is opened at the address that carries the token. */
  readonly withToken?: boolean;
  /** The browser's date is fixed here; otherwise it is the machine's. */
  readonly date?: number;
  /** A browser that stays; else one is started and ends with the stage. */
  readonly browser?: Browser;
}

/** As the tests' own: a page waits however busy the machine is. */
const patienceMs = 300_000;

export async function openStage(ledger: string, clock: Clock, options: StageOptions = {}): Promise<Stage> {
  const { withToken = true, date, browser: shared, ...context } = options;
  const serve = async (wanted: number): Promise<Dashboard> =>
    await startDashboard({ ledger, port: wanted, token, clock });
  let server = await serve(0);
  const { port } = server;
  const browser = shared ?? (await launchChromium());
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'UTC',
    ...context,
  });
  page.setDefaultTimeout(patienceMs);
  if (date !== undefined) await page.clock.setFixedTime(date);
  return {
    page,
    port,
    complaints: listen(page, port),
    address: (view) => `http://127.0.0.1:${port}/${withToken ? `?token=${token}` : ''}#/${view}`,
    stopServer: async () => await server.close(),
    async startServer() {
      server = await serve(port);
    },
    async [Symbol.asyncDispose]() {
      await (shared ? page.context() : browser).close();
      await server.close();
    },
  };
}

/** Errors in the page, on its console, and requests that leave the machine; none of them is acceptable. */
function listen(page: Page, port: number): string[] {
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
