import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { openLedger } from '../../src/store/open.ts';
import { temporaryFolder } from '../helpers/folders.ts';

export const easy = [
  { id: 'zero', statement: 'theorem zero (n : Nat) : n + 0 = n' },
  { id: 'swap', statement: 'theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p' },
];
export function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

export function rows(...goals: object[]): string {
  return `${goals.map((goal) => JSON.stringify(goal)).join('\n')}\n`;
}

export async function eventsOf(folder: string): Promise<RunEvent[]> {
  await using ledger = await openLedger(path.join(folder, '.orch', 'ledger.db'), {
    clock: systemClock,
    readOnly: true,
  });
  return await ledger.journal.eventsSince(0, 100_000);
}

/** All of the machine. */
export const full = ['--cpu-target', '1'];

/** One worker: each further one costs a second of CPU time to start. */
export const oneWorker = [...full, '--num-procs', '1'];
