import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { packageVersion } from '../src/config/package.ts';

/** Writes what a bench has measured, with where and when, for the page that shows it; without a file nothing is kept. */
export function keep(file: string | undefined, measured: object): void {
  if (file === undefined) return;
  const cores = os.availableParallelism();
  const made = { date: new Date().toISOString().slice(0, 16), version: packageVersion(), cores };
  writeFileSync(file, `${JSON.stringify({ ...made, ...measured }, null, 2)}\n`);
}
