import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Debian's Chromium, or whichever there is: playwright-core brings none. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? onPath();
  if (executablePath === undefined)
    throw new Error('there is no Chromium to test the page in: apt-get install chromium (or set CHROMIUM)');
  // containers rarely let Chromium build its own sandbox; the pages are ours
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
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
