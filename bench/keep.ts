import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { packageVersion } from '../src/config/package.ts';

/** Saves a benchmark's figures with machine and date; does nothing without a file. */
export function keep(file: string | undefined, measured: object): void {
  if (file === undefined) return;
  const cores = os.availableParallelism();
  const made = { date: new Date().toISOString().slice(0, 16), version: packageVersion(), cores };
  writeFileSync(file, `${JSON.stringify({ ...made, ...measured }, null, 2)}\n`);
}
