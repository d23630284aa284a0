import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { descendantsOf } from './processes.ts';
import { shareWorkers } from './shared-workers.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium for tests that need their own. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch(howToLaunch());
}

let shared: Promise<Browser> | undefined;

/** One Chromium for all tests of a file; each opens contexts of its own, which know nothing of each other. */
export async function sharedChromium(): Promise<Browser> {
  shared ??= share();
  return await shared;
}

async function share(): Promise<Browser> {
  const server = await chromium.launchServer(howToLaunch());
  const pid = server.process().pid ?? 0;
  const browser = await chromium.connect(server.wsEndpoint());
  shareWorkers(
    () => [pid, ...descendantsOf(pid).map((one) => one.pid)],
    async () => {
      await browser.close();
      await server.close();
    },
  );
  return browser;
}

/** Debian's Chromium, or whichever there is: playwright-core brings none. */
function howToLaunch(): { executablePath: string; args: string[] } {
  const executablePath = process.env['CHROMIUM'] ?? onPath();
  if (executablePath === undefined)
    throw new Error('there is no Chromium to test the page in: apt-get install chromium (or set CHROMIUM)');
  // containers rarely let Chromium build its own sandbox; the pages are ours
  return { executablePath, args: ['--no-sandbox'] };
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
