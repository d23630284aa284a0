import { chromium, type Browser } from 'playwright-core';
import { findProgram } from '../../src/io/programs.ts';
import { descendantsOf } from './processes.ts';
import { shareWithLaterFiles } from './shared-workers.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A Chromium for tests that need their own. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch(howToLaunch());
}

let shared: Promise<Browser> | undefined;

/** One Chromium for all tests of a process; each opens its own contexts, which are isolated from each other. */
export async function sharedChromium(): Promise<Browser> {
  shared ??= share();
  return await shared;
}

async function share(): Promise<Browser> {
  const server = await chromium.launchServer(howToLaunch());
  const pid = server.process().pid ?? 0;
  const browser = await chromium.connect(server.wsEndpoint());
  // it ends with this process: Playwright sees to that
  shareWithLaterFiles(() => [pid, ...descendantsOf(pid).map((one) => one.pid)]);
  return browser;
}

function howToLaunch(): { executablePath: string; args: string[] } {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('no Chromium to test the dashboard in: npm test provides one');
  // containers rarely let Chromium build its own sandbox; the pages are ours
  return { executablePath, args: ['--no-sandbox'] };
}

/** The one that CHROMIUM names, or one on PATH. */
export function findChromium(): string | undefined {
  const { CHROMIUM: given, PATH: searchPath } = process.env;
  return given ?? names.map((name) => findProgram(name, searchPath)).find((file) => file !== undefined);
}
